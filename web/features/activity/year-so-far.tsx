import type { RouteReply } from '#contract/api.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Money } from '#web/ui/money.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { MONTHS } from './months.ts';

type YearSoFarFigures = RouteReply<'getEmployeeDashboard'>['yearSoFar'];
type Sums = Pick<YearSoFarFigures, 'received' | 'withdrawn'>;

interface Row extends Sums {
  id: string;
  name: string;
}

/** Money in and out this year, by account and by month, and money that is still pending. */
export function YearSoFar({ year }: { year: YearSoFarFigures }) {
  const accounts = year.accounts.map((account) => ({ ...account, id: account.type }));
  const months = year.months.map((sums, month) => {
    const name = MONTHS[month] ?? '';
    return { ...sums, id: name, name };
  });
  return (
    <Disclosure title="Year so far">
      <Stats>
        <Stat
          label="Received"
          value={<Money amount={year.received} />}
          note={
            <>
              Payroll <Money amount={year.payroll} />, deposits <Money amount={year.deposits} />,
              payments <Money amount={year.payments} />
            </>
          }
        />
        <Stat
          label="Withdrawn"
          value={<Money amount={year.withdrawn} />}
          note="Paid out, less what came back"
        />
        <Stat label="Held" value={<Money amount={year.held} />} note="For what waits" />
        <Stat
          label="On its way"
          value={<Money amount={year.onItsWay} />}
          note="Sent, not arrived"
        />
      </Stats>
      <div className="year__tables">
        <SumsTable label="Year so far by account" head="Account" rows={accounts} total={year} />
        <SumsTable label="Year so far by month" head="Month" rows={months} total={year} />
      </div>
    </Disclosure>
  );
}

interface SumsTableProps {
  label: string;
  /** Heading of the first column: the kind of the rows. */
  head: string;
  rows: readonly Row[];
  total: Sums;
}

function SumsTable({ label, head, rows, total }: SumsTableProps) {
  const columns: Column<Row>[] = [
    { id: 'name', header: head, isRowHeader: true, cell: ({ name }) => name, total: 'Total' },
    {
      id: 'received',
      header: 'Received',
      align: 'right',
      cell: ({ received }) => <Money amount={received} />,
      total: <Money amount={total.received} />,
    },
    {
      id: 'withdrawn',
      header: 'Withdrawn',
      align: 'right',
      cell: ({ withdrawn }) => <Money amount={withdrawn} />,
      total: <Money amount={total.withdrawn} />,
    },
  ];
  return <Table label={label} isDense columns={columns} rows={rows} />;
}
