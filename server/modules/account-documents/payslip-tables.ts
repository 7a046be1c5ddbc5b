import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { FUNDING_TYPE_IDS, isEarned, payKind, payWords } from '#contract/funding.ts';
import type { FundingType } from '#contract/funding.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { startOfDay } from '#server/modules/history/index.ts';
import { paidLines, paidUntil } from './paid-lines.ts';
import type { PaidLine } from './paid-lines.ts';
import type { DocumentScope } from './scope.ts';
import { accountWords, amountCell, ENTRY_COLUMNS, writeMoment } from './words.ts';
import type { Cell, DocumentTable } from './words.ts';

/** The users who sent and approved a payroll. */
export interface SentBatch {
  sentBy: string;
  sentAt: Date;
  approvedBy: string | null;
  approvedAt: Date | null;
}

/**
 * Number of the year's newest fundings that a payslip lists; the others are only in the history.
 */
const FUNDINGS_LISTED = 20;

/** Sums paid into each account: by this line, and in the year up to it. */
export async function paidTable(
  reader: Reader,
  { person, settings: { currency, timeZone } }: DocumentScope,
  line: PaidLine,
): Promise<DocumentTable> {
  const { rows } = await sql<{ walletType: WalletType; last4: string; yearMinor: bigint }>`
    SELECT wallet_type, last4, sum(${paidUntil(line.effectiveAt)})::bigint AS year_minor
      FROM ${paidLines(person.id)} AS paid
     WHERE ${inYearUntil(line, timeZone)}
     GROUP BY wallet_type, last4`.execute(reader);
  const accounts = rows.toSorted(
    (a, b) => WALLET_TYPES.indexOf(a.walletType) - WALLET_TYPES.indexOf(b.walletType),
  );
  const yearMinor = rows.reduce((sum, account) => sum + account.yearMinor, 0n);
  const paid = amountCell(line.amountMinor, currency);
  return {
    title: 'Paid into your accounts',
    columns: [
      { label: 'Account', kind: 'text' },
      { label: 'Reference', kind: 'code' },
      { label: 'This payslip', kind: 'amount' },
      { label: 'Year to date', kind: 'amount' },
    ],
    rows: accounts.map((account) => [
      accountWords(account.walletType, account.last4),
      ...(account.walletType === line.walletType ? [entryCell(line), paid] : ['', '']),
      amountCell(account.yearMinor, currency),
    ]),
    total: ['Total paid', '', paid, amountCell(yearMinor, currency)],
    omitted: 0,
  };
}

/** The payroll provider's breakdown of the payment, with the headings of its file; no table without one. */
export function breakdownTable(
  { settings: { currency } }: Pick<DocumentScope, 'settings'>,
  { breakdown, amountMinor }: PaidLine,
): DocumentTable[] {
  if (breakdown === null) return [];
  return [
    {
      title: 'As computed by the payroll provider',
      columns: [
        { label: 'Gross pay and deductions', kind: 'text' },
        { label: 'Amount', kind: 'amount' },
      ],
      rows: breakdown.map(([name, minor], place) => [
        name,
        amountCell(place === 0 ? BigInt(minor) : -BigInt(minor), currency),
      ]),
      total: ['Net pay', amountCell(amountMinor, currency)],
      omitted: 0,
    },
  ];
}

interface DeductedRow {
  reference: string;
  /** Reference of the payment that is recovered. */
  of: string;
  amountMinor: bigint;
  isGivenBack: boolean;
}

/**
 * Instalments of recoveries that were taken from a line's payment, as its person agreed, and what arrived; no table
 * without one. What was given back since is named, and not deducted.
 */
export async function recoveryTable(
  reader: Reader,
  { settings: { currency } }: DocumentScope,
  line: PaidLine,
): Promise<DocumentTable[]> {
  const { rows } = await sql<DeductedRow>`
    SELECT posting.reference, paid.reference AS of, taken.amount_minor,
           taken.given_back_transaction_id IS NOT NULL AS is_given_back
      FROM recovery_instalment AS taken
      JOIN ledger_transaction AS posting ON posting.id = taken.ledger_transaction_id
      JOIN recovery ON recovery.id = taken.recovery_id
      JOIN payroll_line AS owed ON owed.id = recovery.line_id
      JOIN ledger_transaction AS paid ON paid.id = owed.ledger_transaction_id
     WHERE taken.line_id = ${line.id} ORDER BY taken.number`.execute(reader);
  if (rows.length === 0) return [];
  const kept = rows.filter(({ isGivenBack }) => !isGivenBack);
  const recovered = kept.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return [
    {
      title: 'Recovered, as you agreed',
      columns: ENTRY_COLUMNS,
      rows: [
        ['This payment', entryCell(line), amountCell(line.amountMinor, currency)],
        ...rows.map(({ reference, of, amountMinor, isGivenBack }) => [
          `Recovered of ${of}${isGivenBack ? ', given back' : ''}`,
          reference,
          amountCell(isGivenBack ? 0n : -amountMinor, currency),
        ]),
      ],
      total: ['Paid to you', '', amountCell(line.amountMinor - recovered, currency)],
      omitted: 0,
    },
  ];
}

/**
 * Payments by kind: by this line, and in the year up to it. Reimbursements have a table of their
 * own, because they are not earnings. It is omitted if nothing was reimbursed. The two add up to
 * the amount paid.
 */
export async function kindTables(
  reader: Reader,
  { person, settings: { currency, timeZone } }: DocumentScope,
  line: PaidLine,
): Promise<DocumentTable[]> {
  const { rows } = await sql<{ fundingType: FundingType | null; yearMinor: bigint }>`
    SELECT funding_type, sum(${paidUntil(line.effectiveAt)})::bigint AS year_minor
      FROM ${paidLines(person.id)} AS paid
     WHERE ${inYearUntil(line, timeZone)}
     GROUP BY funding_type`.execute(reader);
  const kinds = [null, ...FUNDING_TYPE_IDS].flatMap((type) =>
    rows.filter(({ fundingType }) => fundingType === type),
  );
  const tableOf = (title: string, parts: typeof kinds, total: string): DocumentTable => ({
    title,
    columns: [
      { label: 'Kind', kind: 'text' },
      { label: 'This payslip', kind: 'amount' },
      { label: 'Year to date', kind: 'amount' },
    ],
    rows: parts.map(({ fundingType, yearMinor }) => [
      payKind(fundingType),
      fundingType === line.fundingType ? amountCell(line.amountMinor, currency) : '',
      amountCell(yearMinor, currency),
    ]),
    total: [
      total,
      amountCell(
        parts.some(({ fundingType }) => fundingType === line.fundingType) ? line.amountMinor : 0n,
        currency,
      ),
      amountCell(
        parts.reduce((sum, { yearMinor }) => sum + yearMinor, 0n),
        currency,
      ),
    ],
    omitted: 0,
  });
  const earned = kinds.filter(({ fundingType }) => isEarned(fundingType));
  const reimbursed = kinds.filter(({ fundingType }) => !isEarned(fundingType));
  return [
    ...(earned.length > 0 ? [tableOf('Earnings', earned, 'Total earnings')] : []),
    ...(reimbursed.length > 0
      ? [tableOf('Reimbursements, not earnings', reimbursed, 'Total reimbursed')]
      : []),
  ];
}

/**
 * Individual fundings of the person in the year up to this line, less what was taken back of them until then; no table
 * if there were none.
 */
export async function fundingTable(
  reader: Reader,
  { person, settings: { currency, timeZone } }: DocumentScope,
  line: PaidLine,
): Promise<DocumentTable[]> {
  const { rows } = await sql<PaidLine & { restMinor: bigint }>`
    SELECT *, ${paidUntil(line.effectiveAt)}::bigint AS rest_minor
      FROM ${paidLines(person.id)} AS paid
     WHERE funding_type IS NOT NULL AND ${inYearUntil(line, timeZone)}
       AND ${paidUntil(line.effectiveAt)} > 0
     ORDER BY effective_at DESC LIMIT ${FUNDINGS_LISTED}`.execute(reader);
  if (rows.length === 0) return [];
  return [
    {
      title: 'Individual funding this year',
      columns: [
        { label: 'Description', kind: 'text' },
        { label: 'Reference', kind: 'code' },
        { label: 'Date', kind: 'text' },
        { label: 'Amount', kind: 'amount' },
      ],
      rows: rows
        .toReversed()
        .map((funding) => [
          payWords(funding.fundingType, funding.description),
          entryCell(funding),
          writeMoment(funding.effectiveAt, 'date', timeZone),
          amountCell(funding.restMinor, currency),
        ]),
      total: null,
      omitted: 0,
    },
  ];
}

/** Steps of the payment: who did what, and when, until the money arrived. */
export function movedTable(
  { settings: { timeZone } }: DocumentScope,
  line: PaidLine,
  { sentBy, sentAt, approvedBy, approvedAt }: SentBatch,
): DocumentTable {
  const when = (at: Date) => writeMoment(at, 'moment', timeZone);
  return {
    title: 'How this payment moved',
    columns: [
      { label: 'Step', kind: 'text' },
      { label: 'By', kind: 'text' },
      { label: 'Date and time', kind: 'text' },
    ],
    rows: [
      ['Requested', sentBy, when(sentAt)],
      ...(approvedBy === null || approvedAt === null
        ? []
        : [['Approved', approvedBy, when(approvedAt)]]),
      ['Arrived', accountWords(line.walletType, line.last4), when(line.effectiveAt)],
    ],
    total: null,
    omitted: 0,
  };
}

/** Reference of the payment, which opens the proof of its entry. */
function entryCell({ reference, transactionId, walletType }: PaidLine): Cell {
  return { reference, event: `${transactionId}.${walletType}` };
}

function inYearUntil({ effectiveAt }: PaidLine, timeZone: string): RawBuilder<boolean> {
  const firstDay = `${dayIn(timeZone, effectiveAt).slice(0, 4)}-01-01`;
  return sql`effective_at >= ${startOfDay(firstDay, timeZone)} AND effective_at <= ${effectiveAt}`;
}
