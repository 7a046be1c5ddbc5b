import { sql } from 'kysely';
import { nextBankingDay } from '#contract/banking-days.ts';
import { payoutReversal } from '#contract/things/payout-reversal.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import type { Kept } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
export type LockedReversal = NonNullable<Awaited<ReturnType<typeof lock>>>;

/** Work of the server at each act of a reversal; the acts themselves are declared in the contract. */
export const payoutReversals: Kept<typeof payoutReversal, LockedReversal, Clocked, Facts> = {
  thing: payoutReversal,
  table: 'payoutReversal',
  lock,
  facts: ({ number, contentHash, itemId }) => ({
    number: fileNumber(number),
    contentHash,
    itemId,
  }),
  words: () => ({}),
  guardFacts: {
    columns: {
      isLive: sql<boolean>`(SELECT is_live FROM payout_file_item WHERE id = request.item_id)`,
      effectiveOn: sql<string>`to_char(request.effective_on, 'YYYY-MM-DD')`,
    },
  },
  guards: {
    // Sending has none: the bank has accepted the file.
    download: ({ known, now }) => refusalToGiveOut(known, now),
  },
};

interface Facts {
  /** False once the payment came back. */
  isLive: boolean;
  /** Day on which the other bank has the debit. */
  effectiveOn: string;
}

/** The refusal to give the file out of a payment that came back, or of which the day has passed; null otherwise. */
export function refusalToGiveOut({ isLive, effectiveOn }: Facts, now: Date): AppError | null {
  if (!isLive) return notReversible('It came back already.');
  return nextBankingDay(now, 'USD') > effectiveOn ? new AppError('payout_reversal_late') : null;
}

/** @param why a sentence for an administrator */
export function notReversible(why: string): AppError {
  return new AppError('payout_not_reversible', { why });
}

function lock(tx: Tx, id: string) {
  return tx
    .selectFrom('payoutReversal')
    .selectAll()
    .select('createdBy as userId')
    .select(sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeDay'))
    .select(sql<string>`to_char(effective_on, 'YYYY-MM-DD')`.as('effectiveDay'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
