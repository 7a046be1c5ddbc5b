import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { bankingDayOnOrAfter, nextBankingDay } from '#contract/banking-days.ts';
import { formatRefusal } from '#contract/account-formats.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { MAX_PAYOUT_ITEMS } from '#contract/payouts.ts';
import type { PayeeGroup, PayoutKind } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { readAhead } from '#server/lib/one-ahead.ts';
import { judgeRows } from '#server/modules/acts/index.ts';
import { lacksProof, selectBankAccounts } from '#server/modules/bank-accounts/index.ts';
import type { BankAccountRow } from '#server/modules/bank-accounts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
type Shown = RouteReply<'adminGetPayouts'>['ready'][number];
type HeldReason = RouteReply<'adminGetPayouts'>['held'][number]['reason'];

/** A withdrawal, a bill, a prenote or the micro-deposits to an account, with the answer if it can be in a file now. */
export interface Payable {
  id: string;
  kind: PayoutKind;
  reference: string;
  payees: PayeeGroup;
  amountMinor: bigint;
  currency: Currency;
  /** Banking day on which the company's bank pays (docs/decisions/084): `2026-12-09`. */
  effectiveOn: string;
  /** Time of its approval; of a bill the time at which it became due, of a bank account that at which it was handed in. */
  since: Date;
  payTo: string;
  employeeId: string;
  employeeName: string;
  employeeNumber: string | null;
  /** Null of a bill. */
  bankName: string | null;
  last4: string;
  /** The bank account that it goes to; null of a bill. */
  bankAccountId: string | null;
  /** Number of the file that it is in and that was not sent yet. */
  inFile: number | null;
  /**
   * The sentence by which this administrator would be refused now; null if they would not. It is that of starting a
   * withdrawal and sending a bill by hand, so there is one rule of when money may leave. A file is refused besides for an
   * account that it has no place for.
   */
  refusal: string | null;
  reason: HeldReason;
}

/** A payment as the page of payouts shows it. */
export function presentPayable(payable: Payable): Shown {
  const { id, kind, reference, payees, payTo, bankName, last4, effectiveOn } = payable;
  return {
    id,
    kind,
    reference,
    payees,
    payTo,
    bankName,
    last4,
    effectiveOn,
    employee: {
      id: payable.employeeId,
      name: payable.employeeName,
      employeeId: payable.employeeNumber,
    },
    amount: money(payable.amountMinor, payable.currency),
    since: payable.since.toISOString(),
  };
}

interface Asked {
  by: CommandContext;
  settings: CompanySettings;
  /** These alone, whatever their status; without them, all that are approved or due. */
  ids?: readonly string[];
}

/** Payments that are read and decided on together. */
const CHUNK_PAYABLES = 1_000;

/** Reads the payments of one kind that follow one of them in their order. */
type ReadChunk = (
  reader: Reader,
  services: Clocked,
  asked: Asked,
  after: string | null,
) => Promise<Payable[]>;

/**
 * Withdrawals and bills that files pay, and bank accounts that wait for a prenote or micro-deposits, oldest first, at most as
 * many as one file has of each. In chunks, so that reading 100,000 takes the memory of some of them; the database reads one while
 * the one before is used.
 */
export function readPayables(
  reader: Reader,
  services: Clocked,
  asked: Asked,
): AsyncGenerator<Payable[], void> {
  return readAhead(readInChunks(reader, services, asked));
}

async function* readInChunks(
  reader: Reader,
  services: Clocked,
  asked: Asked,
): AsyncGenerator<Payable[], void> {
  for (const readChunk of [readWithdrawals, readBills, readProofs] satisfies ReadChunk[]) {
    let after: string | null = null;
    for (let count = 0; count < MAX_PAYOUT_ITEMS; count += CHUNK_PAYABLES) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after another
      const chunk: Payable[] = await readChunk(reader, services, asked, after);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < CHUNK_PAYABLES) break;
      after = chunk.at(-1)?.id ?? after;
    }
  }
}

/** SQL condition on rows that follow one of their table, in the order of a column and of their ids. */
function follows(table: string, column: string, after: string | null) {
  if (after === null) return sql<boolean>`true`;
  const at = sql`(SELECT ${sql.ref(column)} FROM ${sql.table(table)} WHERE id = ${after})`;
  return sql<boolean>`(${sql.ref(`${table}.${column}`)}, ${sql.ref(`${table}.id`)}) > (${at}, ${after}::uuid)`;
}

/** Columns that withdrawals and bills have alike. */
const OF_REQUESTS = {
  userId: sql<string>`request.user_id`,
  status: sql<string>`request.status`,
  reference: sql<string>`request.reference`,
  amountMinor: sql<bigint>`request.amount_minor`,
  currency: sql<Currency>`request.currency`,
  ledgerTransactionId: sql<string | null>`request.ledger_transaction_id`,
  // Time of its approval or at which it became due, if it is either.
  since: sql<Date>`coalesce(request.moved_at, request.requested_at)`,
  resentAs: sql<null>`NULL`,
};

/** Ids of the rows of a chunk, in the order of a column. */
async function readIds(
  reader: Reader,
  table: 'withdrawal' | 'bill',
  [column, status]: readonly [column: string, status: string],
  { ids }: Asked,
  after: string | null,
): Promise<string[]> {
  const isAsked =
    ids === undefined ? sql<boolean>`status = ${sql.lit(status)}` : among(`${table}.id`, ids);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE ${isAsked} AND ${follows(table, column, after)}
     ORDER BY ${sql.ref(column)}, id LIMIT ${CHUNK_PAYABLES}`.execute(reader);
  return rows.map(({ id }) => id);
}

async function readWithdrawals(
  reader: Reader,
  services: Clocked,
  asked: Asked,
  after: string | null,
): Promise<Payable[]> {
  const now = services.clock.now();
  const ids = await readIds(reader, 'withdrawal', ['requested_at', 'approved'], asked, after);
  const who = { actor: asked.by.actor, as: 'admin' } as const;
  const judged = await judgeRows(reader, services, withdrawals, who, {
    act: 'startProcessing',
    ids,
    columns: {
      ...OF_REQUESTS,
      bankAccountId: sql<string>`request.bank_account_id`,
      bankName: sql<string>`request.bank_name`,
      last4: sql<string>`request.bank_last4`,
      routingNumber: sql<string | null>`bank.routing_number`,
      employeeName: sql<string>`payee.name`,
      employeeNumber: sql<string | null>`payee.employee_number`,
    },
  });
  const effectiveOn = nextBankingDay(now, asked.settings.currency);
  return judged.map(({ row, refusal }) => ({
    id: row.id,
    kind: 'withdrawal',
    reference: row.reference,
    payees: 'people',
    amountMinor: row.amountMinor,
    currency: row.currency,
    effectiveOn,
    since: row.since,
    payTo: row.employeeName,
    employeeId: row.userId,
    employeeName: row.employeeName,
    employeeNumber: row.employeeNumber,
    bankName: row.bankName,
    last4: row.last4,
    bankAccountId: row.bankAccountId,
    inFile: row.inFile,
    ...orOtherFormat(row, {
      refusal,
      reason: reasonOf(asked.settings, { ...row, isReturned: row.bankStatus !== 'verified', now }),
    }),
  }));
}

async function readBills(
  reader: Reader,
  services: Clocked,
  asked: Asked,
  after: string | null,
): Promise<Payable[]> {
  const now = services.clock.now();
  const ids = await readIds(reader, 'bill', ['pay_on', 'due'], asked, after);
  const who = { actor: asked.by.actor, as: 'admin' } as const;
  const judged = await judgeRows(reader, services, bills, who, {
    act: 'send',
    ids,
    columns: {
      ...OF_REQUESTS,
      payDay: sql<string>`to_char(request.pay_on, 'YYYY-MM-DD')`,
      payTo: sql<string>`request.payee_name`,
      last4: sql<string>`request.payee_last4`,
      payeeKind: sql<string>`recipient.kind`,
      routingNumber: sql<string | null>`recipient.routing_number`,
      employeeName: sql<string>`payer.name`,
      employeeNumber: sql<string | null>`payer.employee_number`,
    },
  });
  const next = nextBankingDay(now, asked.settings.currency);
  return judged.map(({ row, refusal }) => {
    const payDay = bankingDayOnOrAfter(row.payDay, asked.settings.currency);
    return {
      id: row.id,
      kind: 'bill',
      reference: row.reference,
      payees: row.payeeKind === 'business' ? 'businesses' : 'people',
      amountMinor: row.amountMinor,
      currency: row.currency,
      since: row.since,
      effectiveOn: payDay > next ? payDay : next,
      payTo: row.payTo,
      employeeId: row.userId,
      employeeName: row.employeeName,
      employeeNumber: row.employeeNumber,
      bankName: null,
      last4: row.last4,
      bankAccountId: null,
      inFile: row.inFile,
      ...orOtherFormat(row, {
        refusal,
        reason: reasonOf(asked.settings, { ...row, isReturned: row.returnedBillId !== null, now }),
      }),
    };
  });
}

/**
 * Bank accounts that wait for a prenote or micro-deposits. These move no money of their owner, so neither a freeze nor
 * cooling-off holds them, and anybody may make a file with them. One that is in a file is left out, unless it is asked for
 * by its id. The amounts of micro-deposits are drawn with their file.
 */
async function readProofs(
  reader: Reader,
  { clock }: Clocked,
  { settings, ids }: Asked,
  after: string | null,
): Promise<Payable[]> {
  const { bankAccountProof } = settings;
  if (bankAccountProof === 'none' && ids === undefined) return [];
  const isDeposited = bankAccountProof === 'micro_deposits';
  const kind = isDeposited ? 'micro_deposit' : 'prenote';
  const payees = isDeposited ? 'micro_deposits' : 'accounts';
  const effectiveOn = nextBankingDay(clock.now(), settings.currency);
  const rows = await selectBankAccounts(reader)
    .where(
      ids === undefined
        ? sql<boolean>`bank_account.status = 'pending' AND ${lacksProof('bank_account')}`
        : among('bank_account.id', ids),
    )
    .where(follows('bank_account', 'submitted_at', after))
    .orderBy('bankAccount.submittedAt')
    .orderBy('bankAccount.id')
    .limit(CHUNK_PAYABLES)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind,
    reference: isDeposited ? 'Micro-deposits' : 'Prenote',
    payees,
    amountMinor: 0n,
    currency: settings.currency,
    effectiveOn,
    since: row.submittedAt,
    payTo: row.ownerName,
    employeeId: row.userId,
    employeeName: row.ownerName,
    employeeNumber: row.ownerEmployeeNumber,
    bankName: row.bankName,
    last4: row.last4,
    bankAccountId: row.id,
    inFile: null,
    refusal: refusalToTest(row),
    reason: 'other',
  }));
}

function refusalToTest({ status, proof }: BankAccountRow): string | null {
  if (status !== 'pending') return `It is ${status}.`;
  if (proof === null) return 'The company asks for no prenotes.';
  const { kind, file } = proof;
  if (file === null) return null;
  return `It has ${kind === 'prenote' ? 'one' : 'two'} in payout file ${fileNumber(file)}.`;
}

function among(column: string, ids: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} = ANY (${ids}::uuid[])`;
}

/**
 * The refusal of a payment; one that nothing else holds is held if no file of the company pays to an account like its own. It
 * can still be paid by hand.
 */
function orOtherFormat(
  { routingNumber, currency }: { routingNumber: string | null; currency: Currency },
  held: Pick<Payable, 'refusal' | 'reason'>,
): Pick<Payable, 'refusal' | 'reason'> {
  if (held.refusal !== null) return held;
  const refusal = formatRefusal({ routingNumber: routingNumber ?? '' }, currency);
  return refusal === null ? held : { refusal, reason: 'format' };
}

function reasonOf(
  { payoutsStoppedAt }: CompanySettings,
  {
    frozenAt,
    payableFrom,
    isReturned,
    isChangeOpen = false,
    now,
  }: {
    frozenAt: Date | null;
    payableFrom: Date | null;
    isReturned: boolean;
    isChangeOpen?: boolean;
    now: Date;
  },
): HeldReason {
  if (payoutsStoppedAt !== null) return 'stopped';
  if (frozenAt !== null) return 'frozen';
  if (isReturned) return 'unverified';
  if (isChangeOpen) return 'change';
  return payableFrom !== null && payableFrom > now ? 'cooling' : 'other';
}
