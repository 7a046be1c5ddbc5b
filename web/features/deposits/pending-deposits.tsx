import type { ReactNode } from 'react';
import type { AdminDeposit } from '#contract/api.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { DECISIONS, DECISION_NAMES, type Deciding } from './deposit-decision.tsx';

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
      actions: (deposit) =>
        DECISION_NAMES.map((decision) => ({
          label: DECISIONS[decision].label,
          ...(decision === 'approve' && { kind: 'money' as const }),
          onPress: () => onDecide({ decision, deposit }),
        })),
    }),
  ];
  return <Table label="Pending Deposits" columns={columns} rowKey={(row) => row.id} {...table} />;
}
