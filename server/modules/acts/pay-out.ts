import { sql } from 'kysely';
import { causeOf, RETURN_MEANINGS } from '#contract/ach-codes.ts';
import type { Currency } from '#contract/money.ts';
import { nextReferences, postingReferences } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import {
  ensureSystemAccount,
  lockAccounts,
  post,
  reverseAll,
} from '#server/modules/ledger/index.ts';
import type { PostedTransaction, Posting } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { lockForReturn } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import type { Doing, DoingMany, Effect, KeptRow } from './kept.ts';

type Clocked = Pick<Services, 'clock'>;

/** A request whose amount is held in a wallet until it is paid out. */
interface HeldRow extends KeptRow {
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly holdId: string;
  /** Posting that took the hold; null while it is held. */
  readonly ledgerTransactionId: string | null;
  readonly transactionReference: string | null;
  /** Posting that cleared payouts in transit; null unless it was sent in a file and has been paid. */
  readonly settlementId: string | null;
  readonly walletId: string;
  /** The ledger account of the wallet it comes from. */
  readonly walletAccountId: string;
}

interface Payout<Row extends HeldRow> {
  /** Kind of the posting, under which its metadata names the request: `withdrawal`. */
  kind: string;
  /** System account that stands for where the money goes. */
  clearing: string;
  description: (row: Row) => string;
}

/** Account of what was sent in payout files and has not been paid by the bank yet. */
export const IN_TRANSIT = 'payouts_in_transit';

/** Account of the company's own money that checks bank accounts, by micro-deposits. */
export const VERIFICATION = 'account_verification';

/** Accounts of where money goes. A payout file has payments to both. */
const CLEARING = ['payout_clearing', 'bill_clearing'];

/**
 * Pays out a request by hand: posts the held amount out of the wallet. The day on which it left the bank is kept; the ledger
 * posts now.
 *
 * @throws {AppError} `payout_day_invalid`
 */
export async function payOutHeld<Row extends HeldRow, Needs extends Clocked>(
  doing: Doing<Row, Needs>,
  payout: Payout<Row> & {
    /** Time at which it was approved or sent: its money has not left before. */
    since: Date | null;
  },
): Promise<Effect> {
  const { tx, row, at, input } = doing;
  const { timeZone } = await readSettings(tx);
  const leftBank = readLeftBank(input, {
    since: invariant(payout.since, `${payout.kind} ${row.id} was sent without a time`),
    now: at,
    timeZone,
  });
  const [effect] = await capture({ ...doing, rows: [row] }, payout, payout.clearing);
  const { set, details, ...rest } = invariant(effect, 'a batch of one posted nothing');
  return {
    ...rest,
    set: { ...set, ...leftBank },
    details: { ...leftBankDetails(leftBank), ...details },
  };
}

/**
 * Posts held amounts out of their wallets into payouts in transit, because a file orders them from the bank. The
 * effects are in the order of the rows.
 */
export function sendHeldInFile<Row extends HeldRow, Needs extends Clocked>(
  doing: DoingMany<Row, Needs>,
  payout: Omit<Payout<Row>, 'clearing'>,
): Promise<Effect[]> {
  return capture(doing, payout, IN_TRANSIT);
}

/**
 * Locks the ledger accounts that a file takes its payments from and sends them to. Its withdrawals and its bills are posted
 * one after the other, and its micro-deposits.
 */
export function lockToSend(tx: Tx, walletIds: readonly string[]): Promise<void> {
  return lockPayoutAccounts(tx, [IN_TRANSIT, VERIFICATION], walletIds);
}

/** Locks the ledger accounts that payments of files come back from, and those of the wallets that they go to. */
export function lockToReturn(tx: Tx, walletIds: readonly string[]): Promise<void> {
  return lockPayoutAccounts(tx, [IN_TRANSIT, VERIFICATION, ...CLEARING], walletIds);
}

/** Locks the system accounts of these codes, in all currencies, and the accounts of these wallets. */
async function lockPayoutAccounts(
  tx: Tx,
  codes: readonly string[],
  walletIds: readonly string[] = [],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ledger_account WHERE code = ANY (${codes}::text[])
    UNION ALL SELECT ledger_account_id FROM wallet WHERE id = ANY (${walletIds}::uuid[])`.execute(
    tx,
  );
  await lockAccounts(
    tx,
    rows.map(({ id }) => id),
  );
}

/**
 * Clears payouts in transit of payouts that were sent in a file, because the bank has paid them.
 *
 * @param doing.input the day on which the file left the bank, which was checked with the file
 */
export async function settleSent<Row extends HeldRow, Needs extends Clocked>(
  doing: DoingMany<Row, Needs>,
  payout: Payout<Row>,
): Promise<Effect[]> {
  const { leftBankOn, bankReference = '' } = doing.input;
  const leftBank = {
    leftBankOn: invariant(leftBankOn, 'a file is settled on a day'),
    bankReference: bankReference === '' ? null : bankReference,
  };
  // Withdrawals and bills of a file are settled by one posting after the other.
  await lockPayoutAccounts(doing.tx, [IN_TRANSIT, ...CLEARING]);
  const effects = await settle(doing, payout);
  return effects.map(({ set, details, ...rest }) => ({
    ...rest,
    set: { ...set, ...leftBank },
    details: { ...leftBankDetails(leftBank), ...details },
  }));
}

async function capture<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, rows, at }: Omit<DoingMany<Row, Needs>, 'input' | 'inputOf'>,
  { kind, description }: Omit<Payout<Row>, 'clearing'>,
  clearing: string,
): Promise<Effect[]> {
  const clearingOf = await systemAccounts(tx, clearing, rows);
  const references = await postingReferences(tx, rows);
  const postings = rows.map((row, index) => ({
    kind,
    reference: invariant(references[index], 'each request has a reference'),
    description: description(row),
    actorId: personOf(by).actor.id,
    subjectId: row.id,
    metadata: { [kind]: row.reference },
    entries: [
      { accountId: row.walletAccountId, amountMinor: -row.amountMinor },
      { accountId: clearingOf(row), amountMinor: row.amountMinor },
    ],
    holdId: row.holdId,
  }));
  const posted = await postAll(tx, postings, at);
  return posted.map(({ id, reference }) => ({
    set: { ledgerTransactionId: id, transactionReference: reference },
    transactionId: id,
    words: { posting: reference },
  }));
}

async function settle<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, rows, at }: DoingMany<Row, Needs>,
  { kind, clearing, description }: Payout<Row>,
): Promise<Effect[]> {
  const inTransitOf = await systemAccounts(tx, IN_TRANSIT, rows);
  const clearingOf = await systemAccounts(tx, clearing, rows);
  const references = await nextReferences(tx, rows.length);
  const postings = rows.map((row, index) => ({
    kind: 'settlement',
    reference: invariant(references[index], 'each request has a reference'),
    description: description(row),
    // None of a file that is settled by a statement line.
    actorId: typeof by.actor === 'object' ? by.actor.id : null,
    subjectId: row.id,
    metadata: { [kind]: row.reference },
    entries: [
      { accountId: inTransitOf(row), amountMinor: -row.amountMinor },
      { accountId: clearingOf(row), amountMinor: row.amountMinor },
    ],
  }));
  const posted = await postAll(tx, postings, at);
  return posted.map(({ id }, index) => ({
    set: { settlementId: id },
    details: { settlementId: id },
    words: { posting: rows[index]?.transactionReference ?? null },
  }));
}

/** Most postings of one statement, as of a chunk of a payroll. */
const CHUNK_POSTINGS = 5_000;

async function postAll(tx: Tx, postings: readonly Posting[], at: Date) {
  const posted: PostedTransaction[] = [];
  for (let from = 0; from < postings.length; from += CHUNK_POSTINGS) {
    const chunk = postings.slice(from, from + CHUNK_POSTINGS);
    posted.push(...(await post(tx, chunk, { effectiveAt: at })));
  }
  return posted;
}

/** The system account of a code in the currency of each row. */
async function systemAccounts(tx: Tx, code: string, rows: readonly HeldRow[]) {
  const ids = new Map<Currency, string>();
  for (const { currency } of rows) {
    if (!ids.has(currency)) ids.set(currency, await ensureSystemAccount(tx, code, currency));
  }
  return ({ currency }: HeldRow) => invariant(ids.get(currency), `no account ${code}`);
}

/**
 * Reverses the postings of payouts that the bank sent back. The money is in the wallets again. Of one that was sent in a
 * file it comes out of payouts in transit, which its settlement had cleared, so that is reversed first.
 */
export async function takeBackPayouts<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, rows, at, inputOf }: Omit<DoingMany<Row, Needs>, 'input'>,
  describe: (row: Row) => string,
): Promise<Effect[]> {
  await lockForReturn(
    tx,
    personOf(by),
    rows.map(({ walletId }) => walletId),
  );
  const actorId = personOf(by).actor.id;
  const undone = rows.flatMap((row) => {
    const payout = invariant(row.ledgerTransactionId, `${row.id} was paid without a posting`);
    const postings = row.settlementId === null ? [payout] : [row.settlementId, payout];
    return postings.map((transactionId) => ({ transactionId, description: describe(row) }));
  });
  const references = await nextReferences(tx, undone.length);
  const posted = await reverseAll(
    tx,
    undone.map((one, index) => ({
      ...one,
      actorId,
      reference: invariant(references[index], 'each reversal has a reference'),
    })),
    { effectiveAt: at },
  );
  const reversals = new Map(
    posted.map(({ id }, index) => [invariant(undone[index], id).transactionId, id]),
  );
  return rows.map((row) => {
    const { returnCode } = inputOf(row);
    return {
      transactionId: invariant(
        reversals.get(row.ledgerTransactionId ?? ''),
        'a reversal posted nothing',
      ),
      ...(returnCode && { words: { meaning: RETURN_MEANINGS[causeOf(returnCode)] } }),
    };
  });
}

/** Reverses the posting of one payout, as `takeBackPayouts` does. */
export async function takeBackPayout<Row extends HeldRow, Needs extends Clocked>(
  { row, input, ...doing }: Doing<Row, Needs>,
  describe: (row: Row) => string,
): Promise<Effect> {
  const [effect] = await takeBackPayouts({ ...doing, rows: [row], inputOf: () => input }, describe);
  return invariant(effect, 'one effect for one payout');
}
