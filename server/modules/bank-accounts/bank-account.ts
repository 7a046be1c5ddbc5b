import { sql } from 'kysely';
import type { BankAccountStatus } from '#contract/bank-accounts.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Doing, Effect, Kept, KeptRow } from '#server/modules/acts/index.ts';
import { payableFromWords, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPending } from './check-pending.ts';
import { bankLabel } from './use.ts';
import { ensurePrimary } from './primary.ts';
import { proofOf, refusalOfAmounts, refusalOfProof } from './proof.ts';
import type { Proof } from './proof.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Step = Doing<BankAccountRow, Needs>;

/** Work of the server at each act of a bank account; the acts themselves are declared in the contract. */
export const bankAccounts: Kept<typeof bankAccount, BankAccountRow, Needs, Known, Use> = {
  thing: bankAccount,
  table: 'bankAccount',
  lock: (tx, id, _act, ownerId) => findAndLock(tx, id, ownerId),
  facts: ({ last4 }) => ({ last4 }),
  words: (row) => ({ account: bankLabel(row) }),
  rowGuards: {
    // One that the bank sent a payout back from may be handed in again with the same numbers, which the form checks.
    edit: (row) => (row.status === 'returned' ? null : refusalInUse(row)),
    remove: refusalInUse,
    correct: refusalInUse,
  },
  guardFacts: { columns: { proof: proofOf('request') } },
  guards: {
    verify: ({ known: { proof }, now }) => refusalOfProof(proof, now),
    prove: ({ known: { proof }, now }) => refusalOfAmounts(proof, now),
  },
  effects: {
    verify,
    reject: (step) => decide(step, step.input.reason),
    failTest: rejectWithout,
    giveUp: rejectWithout,
    // The row stays for the requests that were paid to it.
    remove: ({ at }) => Promise.resolve({ set: { removedAt: at, isPrimary: false } }),
  },
  followedBy: {
    verify: choosePrimary,
    reject: choosePrimary,
    failTest: choosePrimary,
    giveUp: choosePrimary,
    remove: choosePrimary,
  },
};

/** Facts by which its verification, and the amounts of its micro-deposits, are refused. */
interface Known {
  proof: Proof | null;
}

/** The row of a bank account as far as its owner may change or remove it. */
interface Use extends KeptRow<BankAccountStatus> {
  /** Requests on their way to it. */
  readonly useCount: number;
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

/** An account that money is on its way to stays as it is. */
function refusalInUse({ useCount }: Use): AppError | null {
  return useCount > 0 ? new AppError('bank_account_in_use') : null;
}

/** @throws {AppError} `holder_reason_required` */
async function verify(step: Step): Promise<Effect> {
  const { reason } = step.input;
  const effect = await decide(step);
  if (effect.details?.['nameMatch'] === 'different' && reason === undefined) {
    throw new AppError('holder_reason_required');
  }
  return { ...effect, details: { ...effect.details, ...(reason !== undefined && { reason }) } };
}

/** Rejects an account for a reason that no administrator typed. */
function rejectWithout({ input: { reason } }: Step): Promise<Effect> {
  return Promise.resolve({
    set: { rejectionReason: reason, isPrimary: false, returnedWithdrawalId: null },
  });
}

/** Keeps the facts that the admin saw, because they may have verified a name that differs. */
async function decide({ tx, services, row, at }: Step, rejectionReason?: string): Promise<Effect> {
  const check = (await checkPending(tx, services.vault, [row])).get(row.id);
  const { timeZone } = await readSettings(tx);
  return {
    set: { rejectionReason: rejectionReason ?? null, returnedWithdrawalId: null },
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
