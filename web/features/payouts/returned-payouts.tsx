import { causeOf, codeWords, marksAccount, type ReturnCode } from '#contract/ach-codes.ts';
import { formatMoney } from '#contract/money.ts';
import { RETURN_CAUSES } from '#contract/returns.ts';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { counted } from '#web/lib/format.ts';
import { Glyph } from '#web/ui/glyph.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { accountWords, traceWords, type ReturnEntry, type Returns } from './return-words.ts';
import './returns.css';

interface ReturnedPayoutsProps {
  entries: readonly ReturnEntry[];
  /** Total of all pages. */
  sum: Returns['figures']['booked'];
}

/** Payouts that came back, with what followed from each. */
export function ReturnedPayouts({ entries, sum: { count, total } }: ReturnedPayoutsProps) {
  if (entries.length === 0) return null;
  const sum = formatMoney(total);
  return (
    <div className="section returns">
      <Section
        title="Returned"
        end={<span className="meta num">{`${counted(count, 'payout')}, ${sum}`}</span>}
      >
        <Table label="Returned payouts and what followed" columns={columnsOf(sum)} rows={entries} />
      </Section>
    </div>
  );
}

/** Person whose payment an entry is about; names the row. */
export const PAID_PERSON: Column<ReturnEntry> = {
  id: 'person',
  header: 'Person',
  narrow: 'start',
  isRowHeader: true,
  cell: ({ payment }) => payment && <EmployeeLink employee={payment.employee} />,
};

/** `R03 No account or unable to locate` */
export const BANK_CODE: Column<ReturnEntry> = {
  id: 'code',
  header: 'Code',
  narrow: 'start-second',
  cell: ({ code }) => (
    <>
      {code} <span className="meta">{codeWords(code)}</span>
    </>
  ),
};

function columnsOf(sum: string): readonly Column<ReturnEntry>[] {
  return [
    { ...PAID_PERSON, total: 'Total returned' },
    { ...BANK_CODE, total: '' },
    {
      id: 'payout',
      header: 'Payout',
      narrow: 'hidden',
      cell: ({ payment }) =>
        payment && (
          <>
            <TextLink href={`/admin/payouts/${payment.fileNumber}`}>
              File {payment.fileNumber}, entry {payment.position}
            </TextLink>{' '}
            <span className="meta num" translate="no">
              {accountWords(payment)}
            </span>
          </>
        ),
      total: '',
    },
    {
      id: 'followed',
      header: 'What followed',
      narrow: 'labelled',
      cell: (entry) => <Followed entry={entry} />,
      total: '',
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount }) => (
        <>
          +<Money amount={amount} />
        </>
      ),
      total: <span className="num">+{sum}</span>,
    },
  ];
}

function Followed({ entry }: { entry: ReturnEntry }) {
  const write = useMoments();
  const { payment, amount, at } = entry;
  if (payment === null) return null;
  return (
    <ul className="followed">
      {[
        moneySentence(payment, amount, entry.kind),
        ...(payment.wallet !== null || marks(entry)
          ? [`${payment.employee.name} was notified, ${write(at, 'shortDateTime')}`]
          : []),
        accountSentence(entry),
        ...(payment.resentAs === null
          ? []
          : [`It was sent again as ${payment.resentAs.reference}`]),
      ].map((line) => (
        <li key={line} data-tone="positive">
          <Glyph name="tick" />
          <span>{line}</span>
        </li>
      ))}
    </ul>
  );
}

/** Sentence about the place of the money of a payment that came back. */
function moneySentence(
  { kind, wallet }: NonNullable<ReturnEntry['payment']>,
  amount: ReturnEntry['amount'],
  answer: ReturnEntry['kind'],
): string {
  if (wallet !== null) return `${formatMoney(amount)} is back in ${wallet}`;
  if (kind === 'prenote') return 'A prenote, so no money was sent';
  return answer === 'change'
    ? 'A micro-deposit, which arrived'
    : `A micro-deposit, ${formatMoney(amount)} is back with the company`;
}

/** True if the answer to a prenote or a micro-deposit says that the account is not as it was entered. */
function marks({ kind, code, payment }: ReturnEntry): boolean {
  return kind === 'change' || payment?.kind === 'micro_deposit' || marksAccount(code as ReturnCode);
}

/** Consequence of a return for the account that was paid to. */
function accountSentence(entry: ReturnEntry): string {
  const { payment, code, isMarked } = entry;
  if (payment === null) return '';
  if (payment.kind === 'prenote' || payment.kind === 'micro_deposit') {
    const account = accountWords(payment);
    if (isMarked) return `${account} is not verified`;
    return marks(entry)
      ? `${account} was entered again since`
      : `${account} stays as it is and needs another prenote`;
  }
  // The column has a code of the table of codes.
  const reason = code as ReturnCode;
  if (payment.kind === 'bill') {
    return isMarked
      ? `${payment.payTo} has to be confirmed before the next bill${heldWords(entry)}`
      : `${payment.payTo} was confirmed since`;
  }
  const account = accountWords(payment);
  if (!marksAccount(reason)) return `${account} stays as it is`;
  if (!isMarked) return `${account} was corrected since`;
  return causeOf(reason) === 'closed'
    ? `${account} is closed and cannot be chosen${heldWords(entry)}`
    : `${account} has to be corrected and verified${heldWords(entry)}`;
}

/** ", 1 payout held" */
function heldWords({ held }: ReturnEntry): string {
  return held === 0 ? '' : `, ${counted(held, 'payout')} held`;
}

const OUTCOMES = {
  not_ours: 'Set aside as not ours',
  repeated: 'Has come back already',
  listed: 'Changes nothing',
} as const;

const OTHER: readonly Column<ReturnEntry>[] = [
  {
    id: 'trace',
    header: 'Trace number',
    narrow: 'start',
    isRowHeader: true,
    cell: ({ traceNumber }) => (
      <span className="num" translate="no">
        {traceWords(traceNumber)}
      </span>
    ),
  },
  {
    id: 'code',
    header: 'Code',
    narrow: 'start-second',
    cell: ({ code }) => `${code}, ${codeWords(code)}`,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    narrow: 'end-second',
    cell: ({ status, kind, cause }) =>
      status === 'listed' && cause !== null
        ? `It ${RETURN_CAUSES[cause]}`
        : kind === 'return' || kind === 'change'
          ? OUTCOMES[status as keyof typeof OUTCOMES]
          : 'About a return. Ask your bank.',
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    narrow: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

/** Entries for which nothing was booked and nothing is to be done. */
export function OtherEntries({ entries }: { entries: readonly ReturnEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div className="section">
      <Section title="Nothing booked">
        <Table
          label="Entries for which nothing was booked"
          isDense
          columns={OTHER}
          rows={entries}
        />
      </Section>
    </div>
  );
}
