import { ExternalLink, Eye } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { DepositDetails, DepositInstructions } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { groupedDigits } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { METHOD_WORDS } from './words.ts';
import './deposit.css';

/** One line of what to do. */
interface Line {
  label: string;
  /** What is copied, and shown unless there is something better to show. */
  text: string;
  shown?: ReactNode;
  /** What the copy button calls it; left out where nobody types it anywhere. */
  copied?: string;
}

interface InstructionsProps {
  deposit: DepositDetails;
  instructions: DepositInstructions;
}

/** What the person has to do now, line by line, as it was when they asked. */
export function Instructions({ deposit, instructions }: InstructionsProps) {
  const { method } = instructions;
  const { title, hint } = METHOD_WORDS[method];
  const lines = linesOf(deposit, instructions);
  const account = useAccountNumber(deposit.walletId);
  const facts = lines.map(factOf);
  if (method === 'ach' || method === 'wire') {
    facts.push(accountFact(account, instructions.accountLast4));
  }
  return (
    <section className="deposit__part" aria-labelledby="deposit-do">
      <div className="deposit__part-head">
        <h3 className="section-title" id="deposit-do">
          {title}
        </h3>
        {(method === 'ach' || method === 'wire') && (
          <CopyValue
            label="Copy all"
            words="Copy all"
            value={async () => {
              const all = [...lines, { label: 'Account number', text: await account.fetch() }];
              return all.map(({ label, text }) => `${label}: ${text}`).join('\n');
            }}
          />
        )}
      </div>
      <p className="muted">{hint}</p>
      <div className="payto">
        <Facts facts={facts} />
      </div>
      {instructions.note !== undefined && (
        <p className="deposit__note">
          <Lines of={instructions.note.split('\n')} />
        </p>
      )}
      {method === 'card' && (
        <p className="deposit__pay">
          <LinkButton href={instructions.paymentPage} kind="money" opensTab>
            {`Pay ${formatMoney(deposit.total)} by Card`}
            <Icon of={ExternalLink} size={16} />
          </LinkButton>
          <span className="meta">Opens in a new tab.</span>
        </p>
      )}
    </section>
  );
}

function linesOf(deposit: DepositDetails, instructions: DepositInstructions): Line[] {
  const { reference, total } = deposit;
  const amount: Line = {
    label: 'Amount',
    text: formatMoney(total),
    shown: <Money amount={total} />,
  };
  const copiedAmount = { ...amount, copied: 'amount' };
  const named: Line = { label: 'Reference', text: reference, copied: 'reference' };
  switch (instructions.method) {
    case 'ach':
      return [
        copiedAmount,
        { ...named, shown: <Noted note="in the memo">{reference}</Noted> },
        { label: 'Pay to', text: instructions.payTo, copied: 'name' },
        { label: 'Account type', text: 'Checking' },
        routingLine(instructions.routingNumber),
      ];
    case 'wire':
      return [
        copiedAmount,
        named,
        { label: 'Pay to', text: instructions.payTo, copied: 'name' },
        {
          label: 'Bank',
          text: `${instructions.bankName}, ${instructions.bankAddress}`,
          shown: <Lines of={[instructions.bankName, instructions.bankAddress]} />,
          copied: 'bank',
        },
        routingLine(instructions.routingNumber),
      ];
    case 'card':
      return [amount, named, { label: 'Charged by', text: instructions.chargedBy }];
    case 'mobile_check':
    case 'physical_check': {
      const check: Line[] = [
        amount,
        { label: 'Made out to', text: instructions.payTo, copied: 'name' },
        { label: 'Memo', text: reference, copied: 'reference' },
      ];
      if (instructions.method === 'mobile_check') return check;
      const { mailTo } = instructions;
      const address = { shown: <Lines of={mailTo.split('\n')} />, copied: 'address' };
      return [...check, { label: 'Mail to', text: mailTo, ...address }];
    }
    case 'secure_transfer':
      return [
        amount,
        named,
        {
          label: 'We call',
          text: instructions.phone,
          shown: <Noted note="from your identity application">{instructions.phone}</Noted>,
        },
        {
          label: 'Check the caller',
          text: 'They tell you this reference first. If they do not, hang up.',
        },
      ];
  }
}

function routingLine(routingNumber: string): Line {
  return {
    label: 'Routing number',
    text: routingNumber,
    shown: groupedDigits(routingNumber),
    copied: 'routing number',
  };
}

function factOf({ label, text, shown, copied }: Line): Fact {
  return {
    label,
    value: shown ?? text,
    ...(copied === undefined
      ? {}
      : { action: <CopyValue value={text} label={`Copy ${copied}`} /> }),
  };
}

function Noted({ note, children }: { note: string; children: string }) {
  return (
    <>
      {children} <span className="meta">{note}</span>
    </>
  );
}

function Lines({ of: lines }: { of: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <span className="payto__line" key={line}>
          {line}
        </span>
      ))}
    </>
  );
}

interface AccountNumber {
  /** Null while it is masked. */
  shown: string | null;
  show: () => void;
  fetch: () => Promise<string>;
}

/** The wallet's own number, fetched when it is asked for: that is audited. */
function useAccountNumber(walletId: string): AccountNumber {
  const [shown, setShown] = useState<string | null>(null);
  const fetch = async () => {
    const { accountNumber } = await call('revealWallet', { params: { id: walletId } });
    return accountNumber;
  };
  return {
    shown,
    fetch,
    show: () =>
      void fetch().then(setShown, () =>
        toast({ title: 'The account number could not be loaded', tone: 'critical' }),
      ),
  };
}

function accountFact({ shown, show, fetch }: AccountNumber, last4: string): Fact {
  return {
    label: 'Account number',
    value: shown ?? `•••• ${last4}`,
    action: (
      <span className="payto__acts">
        {shown === null && (
          <Button kind="quiet" shape="icon-small" aria-label="Show account number" onPress={show}>
            <Icon of={Eye} size={16} />
          </Button>
        )}
        <CopyValue value={fetch} label="Copy account number" />
      </span>
    ),
  };
}
