import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Bill, Payee, RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PayeesTable } from './payees-table.tsx';
import { ScheduledBills } from './scheduled-bills.tsx';
import { StandingBills } from './standing-bills.tsx';
import './payments.css';

const PayBill = loadedDialog(async () => (await import('./pay-bill.tsx')).PayBill);
const PayPerson = loadedDialog(async () => (await import('./pay-person.tsx')).PayPerson);

type CannotPay = NonNullable<RouteReply<'listPayees'>['cannotPay']>;

/** What was begun. */
type PayTask =
  | { kind: 'person'; email?: string | undefined }
  | { kind: 'bill'; payeeId?: string; changed?: Bill };

function taskFor({ id, email, account }: Payee): PayTask {
  return account === null
    ? { kind: 'person', email: email ?? undefined }
    : { kind: 'bill', payeeId: id };
}

interface PaymentsTabProps {
  userId: string;
  /** What was paid last. */
  recent: ReactNode;
}

/** What a person pays others: the ways to pay, whom they saved, and what was paid last. */
export function PaymentsTab({ userId, recent }: PaymentsTabProps) {
  const wallets = useQuery(apiQuery('listWallets', {}));
  const payees = useQuery(apiQuery('listPayees', {}));
  const [task, setTask] = useState<PayTask>();
  const opener = useRef<Element | null>(null);
  if (payees.isError) return <QueryError query={payees} title="Failed to load your payees" />;
  if (wallets.isError) return <QueryError query={wallets} title="Failed to load account data" />;
  if (wallets.data === undefined || payees.data === undefined) {
    return <Skeleton lines={8} label="Loading your payments" />;
  }

  const { cannotPay } = payees.data;
  const why = whyNot(cannotPay, wallets.data.accounts.length > 0);
  function begin(next: PayTask): void {
    opener.current = document.activeElement;
    setTask(next);
  }
  /** The receipt follows the steps, which are gone: focus has to be sent back by hand. */
  function close(): void {
    setTask(undefined);
    requestAnimationFrame(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus();
    });
  }

  return (
    <div className="payments">
      {cannotPay !== null && <CannotPayNotice {...cannotPay} />}
      <WaysToPay
        why={why}
        onPayBill={() => begin({ kind: 'bill' })}
        onPayPerson={() => begin({ kind: 'person' })}
      />
      <ScheduledBills
        wallets={wallets.data.accounts}
        onChange={(changed) => begin({ kind: 'bill', changed })}
      />
      <StandingBills />
      <Section title="Saved payees">
        <PayeesTable payees={payees.data.items} onPay={(payee) => begin(taskFor(payee))} />
      </Section>
      <Section title="Recent payments">{recent}</Section>
      {task?.kind === 'person' && (
        <PayPerson
          userId={userId}
          wallets={wallets.data.accounts}
          email={task.email}
          onClose={close}
        />
      )}
      {task?.kind === 'bill' && (
        <PayBill
          wallets={wallets.data.accounts}
          payees={payees.data.items.filter(({ account }) => account !== null)}
          payeeId={task.payeeId}
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
  return cannotPay.code === 'identity_not_approved'
    ? 'Paying needs an approved identity.'
    : 'You cannot pay now.';
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
}

function WaysToPay({ why, onPayBill, onPayPerson }: WaysToPayProps) {
  const { name } = useCompany();
  return (
    <div className="pays">
      <section className="pay" aria-labelledby="pay-a-bill">
        <h2 className="section-title" id="pay-a-bill">
          Pay a Bill
        </h2>
        <p className="muted">
          Power, insurance, your dentist. Held from today, paid on the day you choose.
        </p>
        <Button kind="money-outline" why={why} onPress={onPayBill}>
          Pay a Bill
        </Button>
      </section>
      <section className="pay" aria-labelledby="pay-a-person">
        <h2 className="section-title" id="pay-a-person">
          Pay a Person
        </h2>
        <p className="muted">
          Someone at {name}, by their work email. It arrives at once and cannot be undone.
        </p>
        <Button kind="money-outline" why={why} onPress={onPayPerson}>
          Pay a Person
        </Button>
      </section>
    </div>
  );
}
