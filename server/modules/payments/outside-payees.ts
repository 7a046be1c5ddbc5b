import type { Payee, RouteArguments } from '#contract/api.ts';
import { MAX_PAYEES } from '#contract/limits.ts';
import type { PayeeKind } from '#contract/bills.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { checkAccountNumbers, readMoneyRules } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { Place } from '#server/vault/vault.ts';
import { clearRefusals, clearReturned } from './returned-payees.ts';
import { moveStandingBills } from './end-standing-bills.ts';
import { loadPayee, payeeHash } from './payees.ts';

/** Place of a payee's sealed number. */
export function payeeNumberPlace(payeeId: string): Place {
  return { table: 'payee', column: 'account_number_encrypted', rowId: payeeId };
}

type Details = RouteArguments<'addPayee'>['body'];

/**
 * Enters somebody outside whom a bill can be paid to. The person is warned by mail, because whoever uses
 * another's session would do the same. Who is there already, with the very same details, is answered as
 * they are: a request that is sent again enters nobody twice. Entering all the numbers again confirms a
 * payee whom the bank sent a bill back from.
 *
 * @throws {AppError} `payee_limit`; as `checkAccountNumbers`
 */
export async function addPayee(
  tx: Tx,
  services: Services,
  by: CommandContext,
  details: Details,
): Promise<Payee> {
  await lockUser(tx, by.actor.id);
  await checkAccountNumbers(tx, details);
  const present = await findSamePayee(tx, services, by, details);
  if (present !== undefined) {
    await clearReturned(tx, by, { id: present, at: services.clock.now() });
    return loadPayee(tx, present);
  }
  const { count } = await tx
    .selectFrom('payee')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('userId', '=', by.actor.id)
    .where('removedAt', 'is', null)
    .where('isSaved', '=', true)
    .executeTakeFirstOrThrow();
  if (details.isSaved && count >= BigInt(MAX_PAYEES)) {
    throw new AppError('payee_limit', { most: MAX_PAYEES });
  }
  const id = await insertPayee(tx, services, by, { details });
  return loadPayee(tx, id);
}

/** The id of the person's payee with exactly these details; the person's row has been locked. */
async function findSamePayee(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { accountNumber, ...details }: Details,
): Promise<string | undefined> {
  // Numbers are sealed, each in its own way: they are compared opened, and only where all else is equal.
  const alike = await tx
    .selectFrom('payee')
    .select(['id', 'accountNumberEncrypted'])
    .where('userId', '=', by.actor.id)
    .where('removedAt', 'is', null)
    .where((payee) => payee.and(details))
    .where('last4', '=', accountNumber.slice(-4))
    .orderBy('id')
    .execute();
  for (const payee of alike) {
    if ((await openNumber(tx, services, by, payee)) === accountNumber) return payee.id;
  }
  return undefined;
}

/**
 * Changes one of one's listed payees: another row takes its place. Bills that are scheduled still go where
 * they were scheduled to, the next ones of standing bills to the new one. Without an account number the old one stays.
 * A standing bill that goes to another account, or to another customer of the payee, counts as sent from a new browser as
 * one that is made there does: once.
 *
 * @throws {AppError} `payee_not_found`, also for another person's, a removed one, and a colleague; `new_browser_limit`; as `checkAccountNumbers`
 */
export async function updatePayee(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, change }: { id: string; change: RouteArguments<'updatePayee'>['body'] },
): Promise<Payee> {
  await lockUser(tx, by.actor.id);
  const before = await tx
    .updateTable('payee')
    .set({ removedAt: services.clock.now() })
    .where('id', '=', id)
    .where('userId', '=', by.actor.id)
    .where('kind', '<>', 'colleague')
    .where((payee) =>
      payee.or([payee('isSaved', '=', true), payee('returnedBillId', 'is not', null)]),
    )
    .where('removedAt', 'is', null)
    .returning(['id', 'accountNumberEncrypted', 'isSaved'])
    .returning(['routingNumber', 'accountType', 'customerNumber'])
    .executeTakeFirst();
  if (before === undefined) throw new AppError('payee_not_found');
  const formerNumber = await openNumber(tx, services, by, before);
  const accountNumber = change.accountNumber ?? formerNumber;
  await checkAccountNumbers(tx, { ...change, accountNumber });
  const details = { ...change, accountNumber, isSaved: before.isSaved };
  const newPayeeId = await insertPayee(tx, services, by, {
    details,
    replaces: id,
  });
  const at = services.clock.now();
  const amountMinor = await moveStandingBills(tx, { from: id, to: newPayeeId, at });
  const isSameAccount =
    accountNumber === formerNumber &&
    (['routingNumber', 'accountType', 'customerNumber'] as const).every(
      (part) => details[part] === before[part],
    );
  if (amountMinor > 0n && !isSameAccount) {
    await countInNewBrowser(tx, by, { settings: await readMoneyRules(tx), amountMinor, at });
  }
  await clearRefusals(tx, { payeeId: newPayeeId, at });
  return loadPayee(tx, newPayeeId);
}

async function openNumber(
  tx: Tx,
  { vault }: Services,
  { actor }: CommandContext,
  { id, accountNumberEncrypted }: { id: string; accountNumberEncrypted: Buffer | null },
): Promise<string> {
  const sealed = invariant(accountNumberEncrypted, 'a payee without a number');
  return (await vault.open(tx, actor.id, payeeNumberPlace(id), sealed)).toString('utf8');
}

async function insertPayee(
  tx: Tx,
  { clock, vault }: Services,
  by: CommandContext,
  { details, replaces }: { details: Details; replaces?: string },
): Promise<string> {
  const at = clock.now();
  const userId = by.actor.id;
  const id = newId(at.getTime());
  const { accountNumber, ...rest } = details;
  const last4 = accountNumber.slice(-4);
  const accountNumberEncrypted = await vault.seal(tx, userId, payeeNumberPlace(id), accountNumber);
  const { contentHash } = await tx
    .insertInto('payee')
    .values({ id, userId, ...rest, last4, accountNumberEncrypted, createdAt: at })
    .returning(payeeHash('payee').as('contentHash'))
    .executeTakeFirstOrThrow();
  record(tx, by, replaces === undefined ? 'payee.added' : 'payee.replaced', {
    id,
    personId: userId,
    at,
    details: {
      last4,
      contentHash,
      routingNumber: details.routingNumber,
      ...(replaces !== undefined && { replaces }),
    },
    words: { payee: `${details.name} ••${last4}` },
  });
  return id;
}

/**
 * A payee outside whom a bill is scheduled to, locked so that it cannot be removed in between.
 *
 * @throws {AppError} `payee_not_found`, also for another person's, a removed one, and a colleague;
 *   `payee_returned` after the bank sent a bill back from it, until it is confirmed
 */
export async function loadOutsidePayee(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<{ id: string; name: string; last4: string; kind: PayeeKind }> {
  const row = await tx
    .selectFrom('payee')
    .select(['id', 'name', 'last4', 'kind', 'returnedBillId'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('removedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (row === undefined || row.kind === 'colleague' || row.name === null || row.last4 === null) {
    throw new AppError('payee_not_found');
  }
  if (row.returnedBillId !== null) throw new AppError('payee_returned');
  return { id: row.id, name: row.name, last4: row.last4, kind: row.kind };
}
