import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readDuties, refusalBeside, requireOther } from '#server/modules/security/index.ts';
import type { BankAccountRow } from './rows.ts';

type Entered = Pick<BankAccountRow, 'enteredBy' | 'userId'>;

/**
 * Reads who an admin is to these pending accounts: returns a function that is true for an account that
 * the admin may verify. Nobody verifies their own account, nor one that they entered for a person who left.
 */
export async function readMayVerify(
  reader: Reader,
  actorId: string,
  accounts: readonly Entered[],
): Promise<(account: Entered) => boolean> {
  const duties = accounts.some(({ enteredBy }) => enteredBy !== null)
    ? await readDuties(reader)
    : null;
  return (account) =>
    account.userId !== actorId &&
    (duties === null || refusalBeside(duties, actorId, firstStep(account)) === null);
}

/**
 * Whatever the company's rules are: an account entered by one admin is verified by another.
 *
 * @throws {AppError} `second_person_needed`
 */
export async function requireOtherThanEnterer(
  reader: Reader,
  by: CommandContext,
  account: Entered,
): Promise<void> {
  if (account.enteredBy !== null) await requireOther(reader, by, firstStep(account));
}

/** Entering the account, as the first of two steps; nobody did it where its owner entered it. */
function firstStep({ enteredBy, userId }: Entered) {
  return { did: 'you entered this bank account', doneBy: [enteredBy], notBy: userId };
}
