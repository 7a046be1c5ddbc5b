import { accountLabel } from '#web/lib/account-label.ts';
import { useState } from 'react';
import type { Payee } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { EditPayee } from './edit-payee.tsx';
import { ConfirmPayee, payeeColumn, ReturnWords } from './returned-payee.tsx';

interface PayeesTableProps {
  payees: readonly Payee[];
  /** Undefined while nothing can be paid. */
  onPay: ((payee: Payee) => void) | undefined;
}

/** Payees that a person saved, by name. */
export function PayeesTable({ payees, onPay }: PayeesTableProps) {
  const [removed, setRemoved] = useState<Payee>();
  const [confirmed, setConfirmed] = useState<Payee>();
  const [edited, setEdited] = useState<Payee>();
  return (
    <>
      <Table
        label="Saved payees, by name"
        columns={columnsOf({
          onPay,
          onConfirm: setConfirmed,
          onEdit: setEdited,
          onRemove: setRemoved,
        })}
        rows={payees}
        empty={
          <EmptyState
            title="No saved payees"
            hint="Select “Save this payee” when you pay to list them here."
          />
        }
      />
      {edited !== undefined && edited.account !== null && (
        <EditPayee
          payee={{ ...edited, account: edited.account }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {confirmed !== undefined && (
        <ConfirmPayee payee={confirmed} onClose={() => setConfirmed(undefined)} />
      )}
      {removed !== undefined && (
        <RemovePayee payee={removed} onClose={() => setRemoved(undefined)} />
      )}
    </>
  );
}

interface ColumnHandlers extends Pick<PayeesTableProps, 'onPay'> {
  onConfirm: (payee: Payee) => void;
  onEdit: (payee: Payee) => void;
  onRemove: (payee: Payee) => void;
}

/** "Business, checking ••6627" */
function detailOf({ kind, email, account }: Payee): string {
  if (account === null) return `Person, ${email ?? ''}`;
  const word = kind === 'business' ? 'Business' : 'Person';
  return accountLabel(word, { ...account, accountType: account.type });
}

function columnsOf({ onPay, onConfirm, onEdit, onRemove }: ColumnHandlers): Column<Payee>[] {
  return [
    payeeColumn({
      name: ({ name }) => name,
      detail: detailOf,
      note: ({ returned }) =>
        returned && (
          <>
            <Status status="returned" /> <ReturnWords returned={returned} />
          </>
        ),
    }),
    {
      id: 'lastPaid',
      header: 'Last paid',
      narrow: 'hidden',
      cell: ({ lastPaid }) =>
        lastPaid === null ? (
          '–'
        ) : (
          <Time className="nowrap" at={lastPaid.at} as="short" by="company" />
        ),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'hidden',
      cell: ({ lastPaid }) => (lastPaid === null ? '–' : <Money amount={lastPaid.amount} />),
    },
    actionsColumn({
      narrow: 'end',
      nameOf: ({ name }) => name,
      actions: (payee) => [
        ...(payee.account === null
          ? []
          : [{ label: 'Edit', isQuiet: true, onPress: () => onEdit(payee) }]),
        { label: 'Remove', isQuiet: true, onPress: () => onRemove(payee) },
        ...(payee.returned !== null
          ? [{ label: 'Confirm', onPress: () => onConfirm(payee) }]
          : onPay === undefined
            ? []
            : [{ label: 'Pay', kind: 'money' as const, onPress: () => onPay(payee) }]),
      ],
    }),
  ];
}

function RemovePayee({ payee, onClose }: { payee: Payee; onClose: () => void }) {
  return (
    <ConfirmAction
      {...questionTo('Remove', 'payee')}
      send={() => call('removePayee', { params: { id: payee.id } })}
      topics={['payments']}
      done={{ title: 'Payee Removed' }}
      failed="Failed to remove the payee"
      onClose={onClose}
    >
      {payee.name} is removed from the list. Past payments stay in your history, and scheduled bills
      are still paid. Standing bills to this payee end.
    </ConfirmAction>
  );
}
