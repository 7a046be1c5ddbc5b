import type { Currency } from '#contract/money.ts';
import { nextReference, postingReference } from '#server/db/references.ts';
import { personOf } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import { captureHold, ensureSystemAccount, post, reverse } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { lockForReturn } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import type { Doing, Effect, KeptRow } from './kept.ts';

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

interface Payout {
  /** Kind of the posting, under which its metadata names the request: `withdrawal`. */
  kind: string;
  /** System account that stands for where the money goes. */
  clearing: string;
  description: string;
  /** Time at which it was approved or sent: its money has not left before. */
  since: Date | null;
}

/** Account of what was sent in payout files and has not been paid by the bank yet. */
const IN_TRANSIT = 'payouts_in_transit';

/**
 * Pays out a request: posts the held amount out of the wallet or, where it was sent in a file, clears it from payouts in
 * transit. The day on which it left the bank is kept; the ledger posts now.
 *
 * @throws {AppError} `payout_day_invalid`
 */
export async function payOutHeld<Row extends HeldRow, Needs extends Clocked>(
  doing: Doing<Row, Needs>,
  payout: Payout,
): Promise<Effect> {
  const { tx, row, at, input } = doing;
  const { timeZone } = await readSettings(tx);
  const leftBank = readLeftBank(input, {
    since: invariant(payout.since, `${payout.kind} ${row.id} was sent without a time`),
    now: at,
    timeZone,
  });
  const details = leftBankDetails(leftBank);
  if (row.ledgerTransactionId !== null) {
    const settlementId = await settle(doing, payout);
    return {
      set: { settlementId, ...leftBank },
      details: { ...details, settlementId },
      words: { posting: row.transactionReference },
    };
  }
  const captured = await capture(doing, payout);
  return { ...captured, set: { ...captured.set, ...leftBank }, details };
}

/** Posts the held amount out of the wallet into payouts in transit, because a file orders it from the bank. */
export function sendHeldInFile<Row extends HeldRow, Needs extends Clocked>(
  doing: Doing<Row, Needs>,
  payout: Pick<Payout, 'kind' | 'description'>,
): Promise<Effect> {
  return capture(doing, { ...payout, clearing: IN_TRANSIT });
}

async function capture<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, row, at }: Doing<Row, Needs>,
  { kind, clearing, description }: Omit<Payout, 'since'>,
): Promise<Effect> {
  const { id, amountMinor, currency, reference } = row;
  const clearingId = await ensureSystemAccount(tx, clearing, currency);
  const posting = {
    kind,
    reference: await postingReference(tx, row),
    description,
    actorId: personOf(by).actor.id,
    subjectId: id,
    metadata: { [kind]: reference },
    entries: [
      { accountId: row.walletAccountId, amountMinor: -amountMinor },
      { accountId: clearingId, amountMinor },
    ],
  };
  const posted = await captureHold(tx, row.holdId, posting, { effectiveAt: at });
  return {
    set: { ledgerTransactionId: posted.id, transactionReference: posted.reference },
    transactionId: posted.id,
    words: { posting: posted.reference },
  };
}

/** Clears payouts in transit of a request. Returns the id of the posting. */
async function settle<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, row, at }: Doing<Row, Needs>,
  { kind, clearing, description }: Payout,
): Promise<string> {
  const { id, amountMinor, currency, reference } = row;
  const inTransitId = await ensureSystemAccount(tx, IN_TRANSIT, currency);
  const clearingId = await ensureSystemAccount(tx, clearing, currency);
  const posting = {
    kind: 'settlement',
    reference: await nextReference(tx, 'TXN'),
    description,
    actorId: personOf(by).actor.id,
    subjectId: id,
    metadata: { [kind]: reference },
    entries: [
      { accountId: inTransitId, amountMinor: -amountMinor },
      { accountId: clearingId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting], { effectiveAt: at });
  return invariant(posted, 'a batch of one posted nothing').id;
}

/**
 * Reverses the posting of a payout that the bank sent back. The money is in the wallet again. Of one that was sent in a
 * file it comes out of payouts in transit, which its settlement had cleared, so that is reversed first.
 */
export async function takeBackPayout<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, row, at }: Doing<Row, Needs>,
  description: string,
): Promise<Effect> {
  await lockForReturn(tx, personOf(by), row.walletId);
  const actorId = personOf(by).actor.id;
  if (row.settlementId !== null) {
    const reference = await nextReference(tx, 'TXN');
    const settlement = { transactionId: row.settlementId, reference, description, actorId };
    await reverse(tx, settlement, { effectiveAt: at });
  }
  const reversal = {
    transactionId: invariant(row.ledgerTransactionId, `${row.id} was paid without a posting`),
    reference: await nextReference(tx, 'TXN'),
    description,
    actorId,
  };
  const { id } = await reverse(tx, reversal, { effectiveAt: at });
  return { transactionId: id };
}
