import { useQuery } from '@tanstack/react-query';
import { useRef, useState, useId, type ReactNode } from 'react';
import type { Bill, Payee, RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { FROZEN_WHY } from '#web/kit/frozen-notice.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { BillValues } from './check-bill.ts';
import type { PersonPaymentValues } from './check-person-payment.ts';
import { PayeesTable } from './payees-table.tsx';
import { repeatOf, useRepeatedEvent } from './repeat-payment.ts';
import { ReturnedBills } from './returned-bills.tsx';
import { ScheduledBills } from './scheduled-bills.tsx';
import { StandingBills } from './standing-bills.tsx';
import './payments.css';

const MoveMoney = loadedDialog(async () => (await import('./move-money.tsx')).MoveMoney);
const PayBill = loadedDialog(async () => (await import('./pay-bill.tsx')).PayBill);
const PayPerson = loadedDialog(async () => (await import('./pay-person.tsx')).PayPerson);

type CannotPay = NonNullable<RouteReply<'listPayees'>['cannotPay']>;

/** The open form. */
type PayTask =
  | { kind: 'move' }
  | { kind: 'person'; begin?: Partial<PersonPaymentValues> }
  | { kind: 'bill'; begin?: Partial<BillValues>; changed?: Bill };

function taskFor({ id, email, account }: Payee): PayTask {
  return account === null
    ? { kind: 'person', begin: { email: email ?? '' } }
    : { kind: 'bill', begin: { payeeId: id } };
}

interface PaymentsTabProps {
  userId: string;
  /** Latest payments. */
  recent: ReactNode;
  /** The event of the history that is paid again. */
  again: string | undefined;
  /** Called when it was paid again, or the person left the form. */
  onAgainClosed: () => void;
}

/** Payments to others: the ways to pay, saved payees, and the latest payments. */
export function PaymentsTab({ userId, recent, again, onAgainClosed }: PaymentsTabProps) {
  const wallets = useQuery(apiQuery('listWallets', {}));
  const payees = useQuery(apiQuery('listPayees', {}));
  const event = useRepeatedEvent(again);
  const [begun, setTask] = useState<PayTask>();
  // Stays as it began: typed values are not lost where nothing can be paid meanwhile.
  const [repeated, setRepeated] = useState<{ of: string; task: PayTask }>();
  const opener = useRef<Element | null>(null);
  const error = payees.isError ? (
    <QueryError query={payees} what="your payees" />
  ) : (
    wallets.isError && <QueryError query={wallets} what="account data" />
  );
  if (wallets.data === undefined || payees.data === undefined) {
    return error || <Skeleton lines={8} label="Loading your payments" />;
  }

  const { cannotPay } = payees.data;
  const why = whyNot(cannotPay, wallets.data.accounts.length > 0);
  const choices = { wallets: wallets.data.accounts, payees: payees.data.items };
  const whyNotNow = cannotPay?.message;
  if (again !== undefined && repeated?.of !== again && event.data && why === undefined) {
    const first = repeatOf(event.data, choices);
    if (first !== undefined) setRepeated({ of: again, task: first });
  }
  const task = begun ?? (again !== undefined && repeated?.of === again ? repeated.task : undefined);
  function begin(next: PayTask): void {
    opener.current = document.activeElement;
    setTask(next);
  }
  /** The receipt follows the steps, which are gone: focus has to be sent back by hand. */
  function close(): void {
    setTask(undefined);
    setRepeated(undefined);
    if (again !== undefined) onAgainClosed();
    requestAnimationFrame(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus();
    });
  }

  return (
    <div className="payments">
      {error}
      {cannotPay !== null && <CannotPayNotice {...cannotPay} />}
      {event.isError && <QueryError query={event} what="the transaction" />}
      <WaysToPay
        why={why}
        onPayBill={() => begin({ kind: 'bill' })}
        onPayPerson={() => begin({ kind: 'person' })}
        whyCannotMove={whyNoMove(cannotPay, wallets.data.accounts.length)}
        onMove={() => begin({ kind: 'move' })}
      />
      <ReturnedBills />
      <ScheduledBills
        wallets={wallets.data.accounts}
        onChange={(changed) => begin({ kind: 'bill', changed })}
      />
      <StandingBills />
      <Section title="Saved payees">
        <PayeesTable
          payees={payees.data.items}
          onPay={why === undefined ? (payee) => begin(taskFor(payee)) : undefined}
        />
      </Section>
      <Section title="Recent payments">{recent}</Section>
      {task?.kind === 'move' && (
        <MoveMoney
          wallets={wallets.data.accounts}
          why={whyNoMove(cannotPay, wallets.data.accounts.length)}
          onClose={close}
        />
      )}
      {task?.kind === 'person' && (
        <PayPerson
          userId={userId}
          cannotSave={payees.data.cannotSave}
          why={whyNotNow}
          wallets={wallets.data.accounts}
          begin={task.begin}
          onClose={close}
        />
      )}
      {task?.kind === 'bill' && (
        <PayBill
          why={whyNotNow}
          cannotSave={payees.data.cannotSave}
          wallets={wallets.data.accounts}
          payees={payees.data.items.filter(({ account }) => account !== null)}
          begin={task.begin}
          changed={task.changed}
          onClose={close}
        />
      )}
    </div>
  );
}

function whyNot(cannotPay: CannotPay | null, hasWallet: boolean): string | undefined {
  if (!hasWallet) return 'No Accounts Available';
  if (cannotPay === null) return undefined;
  if (cannotPay.code === 'identity_not_approved') return 'Paying needs an approved identity.';
  return cannotPay.code === 'own_payouts_frozen' ? FROZEN_WHY : 'You cannot pay now.';
}

/** Reason why no money can be moved. A move leaves no money with others, so only the stop of all payments counts. */
function whyNoMove(cannotPay: CannotPay | null, wallets: number): string | undefined {
  if (wallets < 2) return 'You need a second account to move money to.';
  return cannotPay?.code === 'payments_stopped' ? cannotPay.message : undefined;
}

/** Says beforehand what the server would refuse. */
function CannotPayNotice({ code, message }: CannotPay) {
  if (code !== 'identity_not_approved') return <Notice tone="caution">{message}</Notice>;
  return (
    <Notice tone="caution">
      <span className="strong">Paying needs an approved identity.</span> Yours is not approved yet.{' '}
      <TextLink href="/employee/kyc-status">See KYC Status</TextLink>
    </Notice>
  );
}

interface WaysToPayProps {
  /** Why nothing can be paid now. */
  why: string | undefined;
  onPayBill: () => void;
  onPayPerson: () => void;
  /** Reason why nothing can be moved now. */
  whyCannotMove: string | undefined;
  onMove: () => void;
}

function WaysToPay(props: WaysToPayProps) {
  const { why, onPayBill, onPayPerson, whyCannotMove, onMove } = props;
  const { name } = useCompany();
  return (
    <div className="pays">
      <WayToPay
        title="Pay a Bill"
        line="Power, insurance, your dentist. Held from today, paid on the day you choose."
        why={why}
        onPress={onPayBill}
      />
      <WayToPay
        title="Pay a Person"
        line={`Someone at ${name}, by their work email. It arrives immediately and cannot be undone.`}
        why={why}
        onPress={onPayPerson}
      />
      <WayToPay
        title="Move Money"
        line="Between your own accounts. It arrives immediately and costs nothing."
        why={whyCannotMove}
        onPress={onMove}
      />
    </div>
  );
}

interface WayToPayProps {
  title: string;
  line: string;
  why: string | undefined;
  onPress: () => void;
}

function WayToPay({ title, line, why, onPress }: WayToPayProps) {
  const id = useId();
  return (
    <section className="pay" aria-labelledby={id}>
      <h2 className="section-title" id={id}>
        {title}
      </h2>
      <p className="muted">{line}</p>
      <Button kind="money-outline" why={why} onPress={onPress}>
        {title}
      </Button>
    </section>
  );
}
