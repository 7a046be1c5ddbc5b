import type { ReactNode } from 'react';
import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import { formatAge } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import type { BankAccountDecision } from './admin-decision.tsx';
import { ACCOUNT_TYPE_LABELS } from './admin-filter.ts';
import { AccountNumber } from './admin-number.tsx';

interface BankAccountTableProps {
  rows: readonly AdminBankAccount[];
  /** The moment that ages are told from. */
  now: number;
  onDecide: (decision: BankAccountDecision, account: AdminBankAccount) => void;
  isLoading: boolean;
  instead: ReactNode;
}

/** Bank accounts of all employees, each with what has to be checked and decided. */
export function BankAccountTable({ now, onDecide, ...table }: BankAccountTableProps) {
  const write = useMoments();
  const columns: readonly Column<AdminBankAccount>[] = [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee }) => (
        <span className="admin-employee">
          {employee.name}
          <span className="id">{employee.employeeId}</span>
        </span>
      ),
    },
    {
      id: 'bank',
      header: 'Bank',
      narrow: 'start-second',
      cell: (row) => <span className="muted nowrap">{row.bankName}</span>,
    },
    {
      id: 'type',
      header: 'Type',
      narrow: 'hidden',
      cell: (row) => <span className="muted">{ACCOUNT_TYPE_LABELS[row.accountType]}</span>,
    },
    {
      id: 'holder',
      header: 'Account holder',
      narrow: 'hidden',
      cell: (row) => <span className="muted nowrap">{row.accountHolderName}</span>,
    },
    {
      id: 'routing',
      header: 'Routing number',
      narrow: 'hidden',
      cell: (row) => <span className="id">{row.routingNumber}</span>,
    },
    {
      id: 'number',
      header: 'Account number',
      narrow: 'hidden',
      cell: (row) => <AccountNumber account={row} />,
    },
    {
      id: 'submitted',
      header: 'Submitted',
      narrow: 'hidden',
      cell: (row) => {
        const submittedAt = row.history[0]?.at ?? row.addedAt;
        return (
          <time
            className="muted nowrap"
            dateTime={submittedAt}
            title={write(submittedAt, 'dateTime')}
          >
            {formatAge(submittedAt, now, 'Less than an hour ago')}
          </time>
        );
      },
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end',
      cell: (row) => <Status status={row.status} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      isHeaderHidden: true,
      narrow: 'end-second',
      cell: (row) => <RowActions account={row} onDecide={onDecide} />,
    },
  ];
  return (
    <Table label="Bank accounts" isDense columns={columns} rowKey={(row) => row.id} {...table} />
  );
}

interface RowActionsProps {
  account: AdminBankAccount;
  onDecide: BankAccountTableProps['onDecide'];
}

function RowActions({ account, onDecide }: RowActionsProps) {
  const whose = `${account.employee.name}, ${account.bankName} ••${account.accountNumberLast4}`;
  return (
    <span className="table__acts">
      {can(bankAccountCan, 'reject', account.status) && (
        <Button
          shape="text"
          aria-label={`Reject ${whose}`}
          onPress={() => onDecide('reject', account)}
        >
          Reject
        </Button>
      )}
      {can(bankAccountCan, 'verify', account.status) && (
        <Button
          shape="text"
          aria-label={`Verify ${whose}`}
          onPress={() => onDecide('verify', account)}
        >
          Verify
        </Button>
      )}
    </span>
  );
}
