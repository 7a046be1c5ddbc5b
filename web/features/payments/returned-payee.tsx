import type { ReactNode } from 'react';
import { accountWords } from '#contract/account-formats.ts';
import type { Payee } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, useAction, ActionButton } from '#web/kit/action.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';

type Returned = NonNullable<Payee['returned']>;

/** "The bank sent back $70.00 (BP-00000012) on Dec 8, 2026. Reason: R03 No account" */
export function ReturnWords({ returned }: { returned: Returned }) {
  const { amount, reference, at, reason } = returned;
  return (
    <>
      The bank sent back <Money amount={amount} /> ({reference}) on{' '}
      <Time at={at} as="date" by="company" />. Reason: {reason}
    </>
  );
}

interface PayeeColumn<Row> {
  name: (row: Row) => ReactNode;
  /** Under the name: "Business, checking ••6627". */
  detail: (row: Row) => ReactNode;
  /** Reason why nothing is paid to them now, if any. */
  note: (row: Row) => ReactNode;
}

/** Column that names a row by its payee. */
export function payeeColumn<Row>({ name, detail, note }: PayeeColumn<Row>): Column<Row> {
  return {
    id: 'payee',
    header: 'Payee',
    isRowHeader: true,
    narrow: 'start',
    cell: (row) => {
      const why = note(row);
      return (
        <span className="payee">
          <span>{name(row)}</span>
          <span className="meta num">{detail(row)}</span>
          {why !== null && <span className="meta payee__note">{why}</span>}
        </span>
      );
    },
  };
}

/** Note of a bill that waits until its payee is confirmed; null without a returned one. */
export function confirmFirst(returned: Returned | null): ReactNode {
  if (returned === null) return null;
  return (
    <>
      <Status status="returned" label="Waiting" /> <ReturnWords returned={returned} />. Not paid
      until you confirm the payee.
    </>
  );
}

/** Notice of a bill that the bank sent back from a payee, and what to do. */
export function SentBack({ returned, children }: { returned: Returned; children: ReactNode }) {
  return (
    <Notice tone="critical">
      <p>
        <ReturnWords returned={returned} />
      </p>
      {children}
    </Notice>
  );
}

/** Sends that a payee is confirmed after a returned bill. */
const confirmationOf = ({ id, name }: Payee) => ({
  send: () => call('confirmPayee', { params: { id } }),
  topics: ['payments'] as const,
  done: { title: 'Payee Confirmed', message: `${name} can be paid again.` },
  failed: 'Payee not confirmed',
});

/** The numbers that are confirmed: "checking ••5502, routing number 021 000 021"; "IBAN ••3000" */
function numbersOf({ account }: Payee): string {
  if (account === null) return '';
  const { type, last4, routingNumber } = account;
  const { routing, number, hasTypes } = accountWords(account);
  const kept = `${hasTypes ? type : number.name} ••${last4}`;
  return routing === null ? kept : `${kept}, ${routing.name} ${routing.shown(routingNumber)}`;
}

/** Under the choice of a payee: the bill that the bank sent back, and a button that confirms the payee. */
export function ReturnedPayeeNotice({ payee }: { payee: Payee }) {
  const confirm = useAction(confirmationOf(payee));
  if (payee.returned === null) return null;
  return (
    <SentBack returned={payee.returned}>
      <p>
        Confirm these numbers if they are right: {numbersOf(payee)}. If not, edit the payee under
        Saved payees.
      </p>
      <ActionButton className="mt-2" shape="small" action={confirm}>
        Confirm Payee
      </ActionButton>
    </SentBack>
  );
}

/** Asks, then confirms a payee. Shown while it is mounted. */
export function ConfirmPayee({ payee, onClose }: { payee: Payee; onClose: () => void }) {
  return (
    <ConfirmAction
      title="Confirm this payee?"
      keep="Not Now"
      confirm="Confirm Payee"
      pending="Confirming"
      kind="solid"
      {...confirmationOf(payee)}
      details={
        <p>
          {payee.name}: {numbersOf(payee)}. Compare this with the bill. If the numbers are right,
          bills to this payee are paid again. If not, edit the payee.
        </p>
      }
      onClose={onClose}
    >
      {payee.returned !== null && <ReturnWords returned={payee.returned} />}
    </ConfirmAction>
  );
}
