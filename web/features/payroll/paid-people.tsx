import { useQuery } from '@tanstack/react-query';
import type { PaidPerson, RouteReply } from '#contract/api.ts';
import { paidList } from '#contract/lists.ts';
import { apiQuery } from '#web/api/query.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { departmentColumn } from '#web/kit/columns/text.tsx';
import { DEPARTMENT_FILTER, EMPLOYEE_WORDS } from '#web/kit/filters.ts';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';
import type { PagePlace } from '#web/lib/paged.ts';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';
import { employeesWords } from './words.ts';

type Amounts = RouteReply<'adminPaidTotals'>['amounts'];

const WORDS = {
  label: 'Who was paid, by name',
  what: 'the people who were paid',
  ...EMPLOYEE_WORDS,
  none: { title: 'Nobody has been paid yet', hint: 'People you pay appear here.' },
  noMatch: 'Nobody was paid',
};

const FILTERS = {
  department: DEPARTMENT_FILTER,
  from: { label: 'From' },
  to: { label: 'To' },
};

/** People paid by payrolls and individual fundings in a range of days, with the total. */
export function PaidPeople() {
  const list = useList(paidList, { prefix: 'paid' });
  const totals = useQuery({
    ...apiQuery('adminPaidTotals', { query: list.view }),
    enabled: list.problem === undefined,
  });
  const amounts = totals.data?.amounts ?? null;
  return (
    <ListPage
      state={list}
      words={WORDS}
      filters={FILTERS}
      columns={columnsOf(list.paged.rows.length === 0 ? null : amounts, list.paged.place)}
      summary={totals.data?.amounts === null && <TooMany />}
    />
  );
}

/**
 * Replaces the total if there are too many rows: a partial sum could be mistaken for the full one.
 */
function TooMany() {
  return (
    <p className="mb-3 muted">
      Too many payments to add up here. Choose fewer days, or export the list.
    </p>
  );
}

function columnsOf(totals: Amounts, place: PagePlace | undefined): readonly Column<PaidPerson>[] {
  const totalOf = (kind: keyof NonNullable<Amounts>) =>
    totals === null ? {} : { total: <Money amount={totals[kind]} /> };
  return [
    {
      ...personColumn<PaidPerson>({
        narrow: 'start',
        person: ({ employee }) => employee,
        open: {
          label: ({ employee }) => `Open ${employee.name}`,
          href: ({ id }) => `/admin/employees/${id}`,
        },
      }),
      ...(totals === null ? {} : { total: totalWords(place) }),
    },
    departmentColumn(),
    moneyColumn({
      id: 'payroll',
      header: 'Payroll',
      narrow: 'hidden',
      amount: ({ payroll }) => payroll,
      ...totalOf('payroll'),
    }),
    moneyColumn({
      id: 'funding',
      header: 'Individual funding',
      narrow: 'hidden',
      amount: ({ funding }) => funding,
      ...totalOf('funding'),
    }),
    moneyColumn({
      id: 'reimbursement',
      header: 'Reimbursements',
      narrow: 'hidden',
      amount: ({ reimbursement }) => reimbursement,
      ...totalOf('reimbursement'),
    }),
    moneyColumn({
      id: 'total',
      header: 'Total',
      narrow: 'end',
      amount: ({ total }) => total,
      ...totalOf('total'),
    }),
  ];
}

/** Text before the total, which covers all pages. */
function totalWords(place: PagePlace | undefined): string {
  return place?.kind === 'numbered' && place.total !== undefined
    ? `Total, ${employeesWords(place.total)}`
    : 'Total';
}
