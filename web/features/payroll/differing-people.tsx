import { useState } from 'react';
import type { PayrollPreview, RouteInput, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { reasonWords } from '#contract/payroll.ts';
import type { WalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatCount, percentChange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { groupWords } from './words.ts';
import './payroll.css';

export type Group = NonNullable<PayrollPreview['differences']>['groups'][number];
type Person = Group['rows'][number];

/** The payroll of which more differences are read. */
export type DifferencesOf = RouteInput<'adminListPayrollDifferences'>['body']['of'];

/** Changes that need no acknowledgement have no rows until these are asked for. */
type Shown = Pick<Group, 'people' | 'rows'> & { group: Group['group'] | 'smaller' };
type GroupOfPeople = Exclude<Shown['group'], 'total'>;

interface DifferingPeopleProps {
  group: Shown;
  of: DifferencesOf;
  walletType: WalletType;
  /** The payday of the last payroll. */
  lastOn: string;
}

/** The people of a group of differences, a hundred at a time. */
export function DifferingPeople({ group, of, walletType, lastOn }: DifferingPeopleProps) {
  const [more, setMore] = useState<readonly Person[]>([]);
  const rows = [...group.rows, ...more];
  const name = group.group as GroupOfPeople;
  const read = useAction<RouteReply<'adminListPayrollDifferences'>>({
    send: (_, options) =>
      call(
        'adminListPayrollDifferences',
        { body: { of, group: name, after: rows.length } },
        options,
      ),
    failed: 'No more people were loaded',
    onDone: (page) => setMore((all) => [...all, ...page.rows]),
  });
  return (
    <>
      <Table
        label={group.group === 'smaller' ? 'Smaller changes' : groupWords(group.group, 0)}
        isDense
        columns={columnsOf(name, { walletType, lastOn })}
        rows={rows}
      />
      {rows.length < group.people && (
        <p className="differs__more meta num">
          {`The first ${formatCount(rows.length)} of ${formatCount(group.people)} are listed.`}
          <Button
            shape="text"
            isPending={read.isPending}
            pendingLabel="Loading"
            onPress={() => read.mutate()}
          >
            Show More
          </Button>
        </p>
      )}
    </>
  );
}

function AmountOrDash({ amount }: { amount: Amount | null }) {
  return amount === null ? <span className="muted">–</span> : <Money amount={amount} />;
}

function columnsOf(
  group: GroupOfPeople,
  { walletType, lastOn }: Pick<DifferingPeopleProps, 'walletType' | 'lastOn'>,
): Column<Person>[] {
  const columns: Column<Person>[] = [
    personColumn({
      narrow: 'start',
      person: (row) => row,
      open: { label: ({ name }) => name, href: ({ id }) => `/admin/employees/${id}` },
    }),
    {
      id: 'department',
      header: 'Department',
      narrow: 'start-second',
      cell: ({ department }) => <span className="muted">{DEPARTMENTS[department]}</span>,
    },
    {
      id: 'last',
      header: 'Last time',
      align: 'right',
      narrow: group === 'gone' ? 'end' : 'hidden',
      cell: ({ last }) => <AmountOrDash amount={last} />,
    },
    {
      id: 'now',
      header: 'This time',
      align: 'right',
      narrow: group === 'gone' ? 'hidden' : 'end',
      cell: ({ amount }) => <AmountOrDash amount={amount} />,
    },
  ];
  return [
    ...columns,
    {
      id: 'why',
      header: group === 'new' || group === 'gone' ? 'Why' : 'Difference',
      align: 'right',
      narrow: 'end-second',
      cell: (person) =>
        group === 'new' || group === 'gone' ? (
          <WhyOther group={group} person={person} walletType={walletType} lastOn={lastOn} />
        ) : (
          <PersonChange person={person} />
        ),
    },
  ];
}

interface WhyOtherProps {
  group: 'new' | 'gone';
  person: Person;
  walletType: WalletType;
  lastOn: string;
}

/** "Joined Nov 23", "Deactivated Dec 2", or another reason for which only one of two payrolls pays somebody. */
function WhyOther({ group, person, walletType, lastOn }: WhyOtherProps) {
  const { joinedAt, leftAt, reason } = person;
  const write = useMoments();
  const { timeZone } = useCompany();
  function why(): string {
    if (group === 'gone') {
      if (leftAt !== null) return `Deactivated ${write(leftAt, 'short', 'company')}`;
      return reason === null ? 'Not in this payroll' : reasonWords(reason, walletType);
    }
    const joinedOn = joinedAt === null ? null : dayIn(timeZone, new Date(joinedAt));
    if (joinedAt !== null && joinedOn !== null && joinedOn > lastOn) {
      return `Joined ${write(joinedAt, 'short', 'company')}`;
    }
    return 'Not paid last time';
  }
  return <span className="muted">{why()}</span>;
}

/** "+$576.00 +30.0%" */
function PersonChange({ person: { last, amount } }: { person: Person }) {
  if (last === null || amount === null) return null;
  const [before, after] = [BigInt(last.minor), BigInt(amount.minor)];
  return (
    <span className="num">
      <Money amount={money(after - before, amount.currency)} signs="always" />{' '}
      <span className="meta">{percentChange(before, after)}</span>
    </span>
  );
}
