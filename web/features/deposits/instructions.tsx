import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountWords, factLabel } from '#contract/account-formats.ts';
import type { DepositDetails, DepositInstructions } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { methodWords } from './words.ts';
import './deposit.css';

/** One line of what to do. */
interface Line {
  label: string;
  /** Text to copy, also shown unless there is something better to show. */
  text: string;
  shown?: ReactNode;
  /** Name of the text on the copy button; left out where nobody types it anywhere. */
  copied?: string;
}

interface InstructionsProps {
  deposit: DepositDetails;
  instructions: DepositInstructions;
}

/** Instructions for the person, line by line, as they were when they asked. */
export function Instructions({ deposit, instructions }: InstructionsProps) {
  const { method } = instructions;
  const { title, hint } = methodWords(method, deposit.amount.currency);
  if ('receivingAccount' in instructions && instructions.receivingAccount === null) {
    return (
      <Notice tone="caution">
        These instructions are out of date, so they are not shown. Ask your company where to send
        the money before you send it.
      </Notice>
    );
  }
  const lines = linesOf(deposit, instructions);
  return (
    <section className="deposit__part" aria-labelledby="deposit-do">
      <div className="spread">
        <h3 className="section-title" id="deposit-do">
          {title}
        </h3>
        {(method === 'ach' || method === 'wire') && (
          <CopyValue
            label="Copy all"
            words="Copy all"
            value={lines.map(({ label, text }) => `${label}: ${text}`).join('\n')}
          />
        )}
      </div>
      <p className="muted">{hint}</p>
      <div className="payto">
        <Facts facts={lines.map(factOf)} />
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
        ...accountLines(instructions.receivingAccount),
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
        ...accountLines(instructions.receivingAccount),
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
          text: 'The caller tells you this reference first. If not, hang up.',
        },
      ];
  }
}

type ReceivingAccount = Extract<DepositInstructions, { method: 'ach' }>['receivingAccount'];

function accountLines(account: ReceivingAccount): Line[] {
  if (account === null) return [];
  const { routing, number } = accountWords(account);
  const lineOf = (field: typeof number | NonNullable<typeof routing>, text: string): Line => ({
    label: factLabel(field),
    text,
    shown: field.shown(text),
    copied: field.name,
  });
  return [
    ...(routing === null ? [] : [lineOf(routing, account.routingNumber)]),
    lineOf(number, account.accountNumber),
  ];
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
