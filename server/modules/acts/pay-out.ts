import type { Currency } from '#contract/money.ts';
import { nextReference, postingReference } from '#server/db/references.ts';
import { personOf } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import { captureHold, ensureSystemAccount, reverse } from '#server/modules/ledger/index.ts';
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
  readonly ledgerTransactionId: string | null;
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

/**
 * Posts the held amount out of the wallet. The day on which it left the bank is kept; the ledger posts now.
 *
 * @throws {AppError} `payout_day_invalid`
 */
export async function payOutHeld<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, row, at, input }: Doing<Row, Needs>,
  { kind, clearing, description, since }: Payout,
): Promise<Effect> {
  const { id, amountMinor, currency, reference } = row;
  const { timeZone } = await readSettings(tx);
  const leftBank = readLeftBank(input, {
    since: invariant(since, `${kind} ${id} was sent without a time`),
    now: at,
    timeZone,
  });
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
    set: {
      ledgerTransactionId: posted.id,
      transactionReference: posted.reference,
      ...leftBank,
    },
    transactionId: posted.id,
    details: leftBankDetails(leftBank),
    words: { posting: posted.reference },
  };
}

/** Reverses the posting of a payout that the bank sent back. The money is in the wallet again. */
export async function takeBackPayout<Row extends HeldRow, Needs extends Clocked>(
  { tx, by, row, at }: Doing<Row, Needs>,
  description: string,
): Promise<Effect> {
  await lockForReturn(tx, personOf(by), row.walletId);
  const reversal = {
    transactionId: invariant(row.ledgerTransactionId, `${row.id} was paid without a posting`),
    reference: await nextReference(tx, 'TXN'),
    description,
    actorId: personOf(by).actor.id,
  };
  const { id } = await reverse(tx, reversal, { effectiveAt: at });
  return { transactionId: id };
}
