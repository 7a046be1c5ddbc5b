import type { ReactNode } from 'react';
import type { AdminDeposit } from '#contract/api.ts';
import { deposit } from '#contract/things/deposit.ts';
import { rowActions } from '#web/desk/columns.tsx';
import type { Deciding } from '#web/desk/desk.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

interface PendingDepositsProps {
  rows: readonly AdminDeposit[];
  onDecide: (deciding: Deciding) => void;
  isLoading: boolean;
  placeholder: ReactNode;
}

/** Deposits that wait for a decision, newest first. */
export function PendingDeposits({ onDecide, ...table }: PendingDepositsProps) {
  const columns: readonly Column<AdminDeposit>[] = [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee }) => <Clipped isName>{employee.name}</Clipped>,
    },
    {
      id: 'deposit',
      header: 'Deposit',
      narrow: 'start-second',
      cell: (row) => (
        <Clipped className="muted">{`${row.methodName} to ${row.walletName}`}</Clipped>
      ),
    },
    timeColumn({ narrow: 'hidden', at: ({ submittedAt }) => submittedAt, as: 'shortDateTime' }),
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ employee }) => `deposit of ${employee.name}`,
      actions: (row) => rowActions(deposit, row, { onAct: (act) => onDecide({ act, row }) }),
    }),
  ];
  return <Table label="Pending Deposits" columns={columns} {...table} />;
}
