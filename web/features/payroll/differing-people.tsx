import { useState } from 'react';
import type { PayrollPreview, RouteInput, RouteReply } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { reasonWords } from '#contract/payroll.ts';
import type { WalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { formatCount, percentChange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { groupWords } from './words.ts';
import './payroll.css';

export type Group = NonNullable<PayrollPreview['differences']>['groups'][number];
type Person = Group['rows'][number];

/** The payroll of which more differences are read. */
export type DifferencesOf = RouteInput<'adminListPayrollDifferences'>['body']['of'];

interface DifferingPeopleProps {
  group: Group;
  of: DifferencesOf;
  walletType: WalletType;
}

/** The people of a group of differences, a hundred at a time. */
export function DifferingPeople({ group, of, walletType }: DifferingPeopleProps) {
  const [more, setMore] = useState<readonly Person[]>([]);
  const rows = [...group.rows, ...more];
  const name = group.group as 'new' | 'gone' | 'changed';
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
        label={groupWords(group.group, 0)}
        isDense
        columns={columnsOf(name, walletType)}
        rows={rows}
        rowKey={({ id }) => id}
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

function columnsOf(group: 'new' | 'gone' | 'changed', walletType: WalletType): Column<Person>[] {
  const columns: Column<Person>[] = [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ name, employeeId }) => (
        <>
          <Clipped isName>{name}</Clipped>{' '}
          <span className="id" translate="no">
            {employeeId}
          </span>
        </>
      ),
    },
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
  if (group === 'new') return columns;
  const isGone = group === 'gone';
  return [
    ...columns,
    {
      id: 'why',
      header: isGone ? 'Why' : 'Difference',
      align: 'right',
      narrow: 'end-second',
      cell: (person) =>
        isGone ? (
          <span className="muted">
            {person.reason === null
              ? 'Not in this payroll'
              : reasonWords(person.reason, walletType)}
          </span>
        ) : (
          <PersonChange person={person} />
        ),
    },
  ];
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
