import { sql } from 'kysely';
import { bankAccount } from '#contract/things/bank-account.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { act, actsOf } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept } from '#server/modules/acts/index.ts';
import { payableFromWords, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPending } from './check-pending.ts';
import { requireOtherThanEnterer } from './may-verify.ts';
import { bankLabel, presentAdminBankAccount, presentBankAccount } from './present.ts';
import { ensurePrimary } from './primary.ts';
import { loadBankAccount } from './queries.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Step = Doing<BankAccountRow, Needs>;

/** Work of the server at each act of a bank account; the acts themselves are declared in the contract. */
export const bankAccounts: Kept<typeof bankAccount, BankAccountRow, Needs> = {
  thing: bankAccount,
  table: 'bankAccount',
  lock: (tx, id, _act, ownerId) => findAndLock(tx, id, ownerId),
  facts: ({ last4 }) => ({ last4 }),
  words: (row) => ({ account: bankLabel(row) }),
  stamp: { verify: decided, reject: decided },
  guards: {
    verify: ({ tx, by, row }) => requireOtherThanEnterer(tx, personOf(by), row),
    async remove({ row: { useCount } }) {
      if (useCount > 0) throw new AppError('bank_account_in_use');
    },
  },
  effects: {
    verify: decide,
    reject: decide,
    // The row stays for the requests that were paid to it.
    remove: ({ at }) => Promise.resolve({ set: { removedAt: at, isPrimary: false } }),
  },
  followedBy: { verify: choosePrimary, reject: choosePrimary, remove: choosePrimary },
};

const acts = actsOf(bankAccounts, {
  admin: async (tx, id) =>
    presentAdminBankAccount(await loadBankAccount(tx, id), { check: null, mayVerify: false }),
  owner: async (tx, _userId, id) => presentBankAccount(await loadBankAccount(tx, id)),
});
export const decideBankAccounts = acts.handlers;
export const verifyBankAccount = acts.commandOf('verify');
export const rejectBankAccount = acts.commandOf('reject');

/**
 * Removes one of the acting person's bank accounts from their list. If it was the primary one, the next
 * verified one is.
 *
 * @throws {AppError} `bank_account_not_found`, `bank_account_in_use`
 */
export function removeBankAccount(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  id: string,
): Promise<void> {
  return act(tx, services, by, bankAccounts, 'remove', { id });
}

/**
 * Locks a bank account, and before it its owner's row: which of a person's accounts is the primary
 * one is decided by one transaction at a time. Then reads it.
 *
 * @throws {AppError} `bank_account_not_found`; also when `ownerId` is given and it is another's.
 */
export async function lockBankAccount(
  tx: Tx,
  id: string,
  ownerId?: string,
): Promise<BankAccountRow> {
  const row = await findAndLock(tx, id, ownerId);
  if (row === undefined) throw new AppError('bank_account_not_found');
  return row;
}

async function findAndLock(
  tx: Tx,
  id: string,
  ownerId?: string,
): Promise<BankAccountRow | undefined> {
  const find = () => selectRows(tx).where('bankAccount.id', '=', id).executeTakeFirst();
  const found = await find();
  if (found === undefined || (ownerId !== undefined && found.userId !== ownerId)) return undefined;
  await lockUser(tx, found.userId);
  await sql`SELECT FROM bank_account WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return find();
}

function decided({ at, by }: { at: Date; by: string | null }) {
  return { decidedAt: at, decidedBy: by };
}

/** Keeps the facts that the admin saw, because they may have verified a name that differs. */
async function decide({ tx, services, row, at, input }: Step): Promise<Effect> {
  const check = (await checkPending(tx, services.vault, [row])).get(row.id);
  const { timeZone } = await readSettings(tx);
  return {
    set: { rejectionReason: input.reason ?? null, returnedWithdrawalId: null },
    ...(check !== undefined && {
      details: {
        nameMatch: check.nameMatch,
        isNameVerified: check.isNameVerified,
        alsoOf: check.alsoOf.map((person) => person.id),
      },
    }),
    words: { payableFrom: payableFromWords(row.payableFrom, { timeZone, now: at }) },
  };
}

/** Their first verified one becomes the primary; without it, the next. */
function choosePrimary({ tx, row }: Step): Promise<void> {
  return ensurePrimary(tx, row.userId);
}
