import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { MICRO_DEPOSIT_TRIES } from '#contract/bank-accounts.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { countEach } from '#server/lib/each-alone.ts';
import { invariant } from '#server/lib/errors.ts';
import { act, refuse } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { bankAccounts, lockBankAccount } from './bank-account.ts';
import { bankLabel } from './use.ts';
import { isOverdue } from './proof.ts';
import { loadOwnBankAccount } from './queries.ts';
import { selectRows } from './rows.ts';

type Amounts = RouteArguments<'enterMicroDeposits'>['body'];

const TRIED = 'The amounts were entered wrongly three times. Check the account and enter it again.';
const OVER = 'The amounts were not entered in time. Check the account and enter it again.';

/**
 * Compares the amounts that an owner read at their bank with those of the two micro-deposits. Wrong ones are no error, so
 * that the try that they use up is kept; the last wrong try rejects the account. Tries of one account wait for each other.
 *
 * @param input.first one of the two amounts, in either order
 * @throws {AppError} `bank_account_not_found`, `bank_account_not_pending`, `micro_deposits_closed`
 */
export async function enterMicroDeposits(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { id, first, second }: { id: string } & Amounts,
): Promise<RouteReply<'enterMicroDeposits'>> {
  const row = await lockBankAccount(tx, id, by.actor.id);
  await refuse(bankAccounts, 'prove', { tx, services, by, row });
  const { proof } = row;
  const itemId = invariant(proof?.depositId, `the deposits to ${id} have no first one`);
  const number = invariant(proof, `${id} needs no proof`).tries + 1;
  const isRight = await areAmounts(tx, row, [first, second]);
  const at = services.clock.now();
  await tx.insertInto('microDepositTry').values({ itemId, number, isRight, triedAt: at }).execute();
  journal(tx, by, bankAccount, isRight ? 'prove' : 'miss', {
    id,
    userId: row.userId,
    at,
    details: { last4: row.last4, item: itemId, try: number },
    ...(isRight && { words: { account: bankLabel(row), owner: row.ownerName } }),
  });
  if (!isRight && number === MICRO_DEPOSIT_TRIES) {
    await act(tx, services, { actor: 'system' }, bankAccounts, 'giveUp', { id, reason: TRIED });
  }
  return { isRight, account: await loadOwnBankAccount(tx, services, by, id) };
}

/** Compares two amounts, in either order, with those of the deposits to an account as it was handed in. */
async function areAmounts(
  tx: Tx,
  { id, submittedAt }: { id: string; submittedAt: Date },
  entered: readonly { minor: string; currency: string }[],
): Promise<boolean> {
  const deposits = await tx
    .selectFrom('payoutFileItem as item')
    .innerJoin('payoutFile as file', 'file.id', 'item.fileId')
    .select(['item.amountMinor as minor', 'file.currency'])
    .where('item.bankAccountId', '=', id)
    .where('item.accountAsOf', '=', submittedAt)
    .where('item.depositNumber', 'is not', null)
    .where('item.isLive', '=', true)
    .execute();
  const inOrder = (amounts: readonly { minor: string | bigint; currency: string }[]) =>
    amounts.map(({ minor, currency }) => `${currency} ${minor}`).toSorted();
  return deposits.length === 2 && String(inOrder(deposits)) === String(inOrder(entered));
}

/** Accounts of one run; the next run takes the others. */
const MOST = 200;

/**
 * Rejects accounts whose micro-deposits were not entered in time. Called each hour. One that fails keeps no other one from it.
 *
 * @returns number of accounts
 * @throws AggregateError once all others are rejected
 */
export async function expireMicroDeposits(
  db: Db,
  services: Pick<Services, 'clock' | 'vault'>,
  { most = MOST }: { most?: number } = {},
): Promise<number> {
  const now = services.clock.now();
  const waiting = await selectRows(db)
    .innerJoin('payoutFileItem as item', 'item.bankAccountId', 'bankAccount.id')
    .where('bankAccount.status', '=', 'pending')
    .whereRef('item.accountAsOf', '=', 'bankAccount.submittedAt')
    .where('item.depositNumber', '=', 1)
    .where('item.isLive', '=', true)
    // Accounts that were proved wait for an administrator, however long that takes.
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM micro_deposit_try AS proved WHERE proved.item_id = item.id AND proved.is_right)`,
    )
    .orderBy('item.effectiveOn')
    .orderBy('item.id')
    .limit(most)
    .execute();
  const overdue = waiting.filter(({ proof }) => isOverdue(proof, now));
  return countEach(overdue, 'accounts could not be rejected', ({ id }) =>
    withTx(db, (tx) => expire(tx, services, id)),
  );
}

/** @returns true if the account was rejected; false if its owner or an administrator was faster */
async function expire(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  id: string,
): Promise<boolean> {
  const row = await bankAccounts.lock(tx, id, 'giveUp');
  if (row === undefined || !isOverdue(row.proof, services.clock.now())) return false;
  await act(tx, services, { actor: 'system' }, bankAccounts, 'giveUp', { id, reason: OVER });
  return true;
}
