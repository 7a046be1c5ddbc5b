import type { ReactNode } from 'react';
import type { AdminDeposit } from '#contract/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import type { DepositDecision } from './deposit-decision.tsx';

interface PendingDepositsProps {
  rows: readonly AdminDeposit[];
  onDecide: (decision: DepositDecision, deposit: AdminDeposit) => void;
  isLoading: boolean;
  instead: ReactNode;
}

/** Deposits that wait for a decision, newest first. */
export function PendingDeposits({ onDecide, ...table }: PendingDepositsProps) {
  const columns: readonly Column<AdminDeposit>[] = [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: (row) => row.employee.name,
    },
    {
      id: 'deposit',
      header: 'Deposit',
      isClipped: true,
      narrow: 'start-second',
      cell: (row) => <span className="muted">{`${row.methodName} to ${row.walletName}`}</span>,
    },
    {
      id: 'submitted',
      header: 'Submitted',
      narrow: 'hidden',
      cell: (row) => <Time className="muted nowrap" at={row.submittedAt} as="shortDateTime" />,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: (row) => <Money amount={row.amount} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      isHeaderHidden: true,
      narrow: 'end-second',
      cell: (row) => (
        <span className="table__acts">
          <Button
            shape="text"
            aria-label={`Reject deposit of ${row.employee.name}`}
            onPress={() => onDecide('reject', row)}
          >
            Reject
          </Button>
          <Button
            shape="text"
            kind="money"
            aria-label={`Approve deposit of ${row.employee.name}`}
            onPress={() => onDecide('approve', row)}
          >
            Approve
          </Button>
        </span>
      ),
    },
  ];
  return <Table label="Pending Deposits" columns={columns} rowKey={(row) => row.id} {...table} />;
}
