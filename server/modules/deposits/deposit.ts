import { formatMoney, money } from '#contract/money.ts';
import { deposit } from '#contract/things/deposit.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { Doing, Effect, Kept, Question } from '#server/modules/acts/index.ts';
import { destroyImages } from '#server/modules/kyc/index.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { currentImages } from './images.ts';
import { describeDeposit } from './present.ts';
import { areImagesMissing } from './rows.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedDeposit, Clocked>;

/** Work of the server at each act of a deposit; the acts themselves are declared in the contract. */
export const deposits: Kept<typeof deposit, LockedDeposit, Clocked, CheckFacts> = {
  thing: deposit,
  table: 'deposit',
  lock: lockDeposit,
  facts: ({ reference }) => ({ reference }),
  words: ({ amountMinor, currency, walletType, reference }) => ({
    amount: formatMoney(money(amountMinor, currency)),
    wallet: WALLET_LABELS[walletType],
    reference,
  }),
  guardFacts: {
    columns: {
      areImagesMissing: areImagesMissing('request'),
    },
  },
  guards: { confirm: needsImages, approve: needsImages },
  effects: {
    approve: payIn,
    // Nothing was posted, and nothing is: the photographs of the check no longer have a purpose.
    async cancel({ tx, row, at }) {
      await destroyImages(tx, 'depositImage', await currentImages(tx, row.id), at);
    },
  },
};

interface CheckFacts {
  /** True for a mobile check without both photographs that waits. */
  areImagesMissing: boolean;
}

/** The photographs of a check are what an administrator decides by. */
function needsImages({ known }: Question<CheckFacts>): AppError | null {
  return known.areImagesMissing ? new AppError('deposit_images_missing') : null;
}

/** Columns of the deposit that an act needs. */
type LockedDeposit = NonNullable<Awaited<ReturnType<typeof lockDeposit>>>;

function lockDeposit(tx: Tx, id: string) {
  return tx
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .select(['deposit.id', 'deposit.reference', 'deposit.userId', 'deposit.method'])
    .select(['deposit.amountMinor', 'deposit.currency', 'deposit.status'])
    .select(['wallet.type as walletType', 'wallet.ledgerAccountId as walletAccountId'])
    .where('deposit.id', '=', id)
    .forNoKeyUpdate('deposit')
    .executeTakeFirst();
}

/**
 * Posts the money that came in, from the clearing account of its method. The fee is the
 * method's own and was charged on top, so it is not posted.
 */
async function payIn({ tx, by, row, at }: Step): Promise<Effect> {
  const { id, amountMinor, currency, method, walletAccountId, walletType } = row;
  const clearing = await ensureSystemAccount(tx, `deposit_clearing:${method}`, currency);
  const posting = {
    kind: 'deposit',
    reference: row.reference,
    description: describeDeposit(method, walletType, currency),
    actorId: personOf(by).actor.id,
    subjectId: id,
    metadata: { method },
    entries: [
      { accountId: clearing, amountMinor: -amountMinor },
      { accountId: walletAccountId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting], { effectiveAt: at });
  const { id: transactionId } = invariant(posted, 'a batch of one posted nothing');
  return { set: { ledgerTransactionId: transactionId }, transactionId };
}
