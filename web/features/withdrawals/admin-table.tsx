import type { ReactNode } from 'react';
import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import type { Sort } from '#web/ui/table-head.tsx';
import { Time } from '#web/ui/time.tsx';
import { DECISIONS, rowDecisions, type Decision } from './decisions.ts';
import { URGENCY_LABELS } from './urgency.ts';

interface WithdrawalTableProps {
  rows: readonly AdminWithdrawal[];
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  onOpen: (id: string) => void;
  onDecide: (decision: Decision, withdrawal: AdminWithdrawal) => void;
  isLoading: boolean;
  instead: ReactNode;
}

/** Withdrawals of all employees, each with what can be decided about it now. */
export function WithdrawalTable({ onOpen, onDecide, ...table }: WithdrawalTableProps) {
  return (
    <Table
      label="Withdrawal requests"
      isDense
      rowKey={(row) => row.id}
      columns={columnsOf(onOpen, onDecide)}
      {...table}
    />
  );
}

/** "Grace Achieng, $620.00": which row a button acts on, for those who do not see the row. */
function nameOf({ employee, amount }: AdminWithdrawal): string {
  return `${employee.name}, ${formatMoney(amount)}`;
}

function columnsOf(
  onOpen: WithdrawalTableProps['onOpen'],
  onDecide: WithdrawalTableProps['onDecide'],
): Column<AdminWithdrawal>[] {
  return [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: (row) => (
        <span className="admin-employee">
          <button
            type="button"
            className="row-link"
            aria-label={`Open ${nameOf(row)}`}
            onClick={() => onOpen(row.id)}
          >
            {row.employee.name}
          </button>
          <span className="id">{row.employee.employeeId}</span>
        </span>
      ),
    },
    {
      id: 'urgency',
      header: 'Urgency',
      narrow: 'hidden',
      cell: (row) => (
        <span className={row.urgency === 'high' ? 'strong' : 'muted'}>
          {URGENCY_LABELS[row.urgency]}
        </span>
      ),
    },
    {
      id: 'bank',
      header: 'Destination bank',
      narrow: 'hidden',
      cell: (row) => (
        <span className="withdrawals__bank muted">
          <span>{row.bankName}</span> ••{row.bankLast4}
        </span>
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      narrow: 'hidden',
      cell: (row) => (
        <span
          className={classNames(
            'withdrawals__reason',
            row.reason === DEFAULT_WITHDRAWAL_REASON ? 'faint' : 'muted',
          )}
        >
          {row.reason}
        </span>
      ),
    },
    {
      id: 'submitted',
      header: 'Submitted',
      isSortable: true,
      narrow: 'start-second',
      cell: (row) => <Time className="muted nowrap" at={row.submittedAt} as="shortDateTime" />,
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: (row) => <Status status={row.status} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      isSortable: true,
      narrow: 'end',
      cell: (row) => (
        <Money
          amount={row.amount}
          isFaded={['rejected', 'cancelled', 'returned'].includes(row.status)}
        />
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      isHeaderHidden: true,
      narrow: 'hidden',
      cell: (row) => <RowActions row={row} onOpen={onOpen} onDecide={onDecide} />,
    },
  ];
}

interface RowActionsProps extends Pick<WithdrawalTableProps, 'onOpen' | 'onDecide'> {
  row: AdminWithdrawal;
}

function RowActions({ row, onOpen, onDecide }: RowActionsProps) {
  const decisions = rowDecisions(row);
  return (
    <span className="table__acts">
      {decisions.map((decision) => (
        <Button
          key={decision}
          shape="text"
          kind={DECISIONS[decision].kind}
          aria-label={`${DECISIONS[decision].label} ${nameOf(row)}`}
          onPress={() => onDecide(decision, row)}
        >
          {DECISIONS[decision].label}
        </Button>
      ))}
      {decisions.length === 0 && (
        <Button
          shape="text"
          className="table__details"
          aria-label={`Details ${nameOf(row)}`}
          onPress={() => onOpen(row.id)}
        >
          Details
        </Button>
      )}
    </span>
  );
}
