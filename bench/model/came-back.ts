import type { Company } from './company.ts';
import type { ModelDuty } from './rules.ts';
import type { ModelBill, ModelPerson, ModelRequest, ModelWithdrawal } from './things.ts';

/**
 * The money of a withdrawal is back, and its account has to be confirmed.
 *
 * @param options.marks false for a return that is not about the account
 */
export function noteReturnedPayout(
  { oracle, now }: Company,
  withdrawal: ModelWithdrawal,
  by: ModelPerson,
  { marks }: { marks: boolean } = { marks: true },
): void {
  const { walletId, minor, ownerId, bankId, requestedAt } = withdrawal;
  withdrawal.status = 'returned';
  withdrawal.returnedAt = now();
  oracle.postReturn(walletId, minor, now());
  oracle.returns.push({ ownerId, by: by.id, at: now() });
  // An account that was handed in again since the request is another one.
  const bank = oracle.bank(bankId);
  const isSame = bank.submittedAt <= requestedAt;
  if (marks && isSame && bank.status === 'verified') bank.status = 'returned';
}

/** The money of a bill is back, and its payee has to be confirmed. */
export function noteReturnedBill({ oracle, now }: Company, bill: ModelBill, by: ModelPerson): void {
  bill.status = 'returned';
  bill.returnedAt = now();
  oracle.postReturn(bill.walletId, bill.minor, now());
  oracle.returns.push({ ownerId: bill.ownerId, by: by.id, at: now() });
  const payee = oracle.payees.get(bill.payeeId);
  if (payee !== undefined) payee.isReturned = true;
}

interface Doing {
  act: string;
  /** Names of the acts by which a payout is approved and completed. */
  acts: readonly [string, string];
  /** Amount of what the same person does alone with it, by the same file. */
  besides?: bigint;
}

/**
 * The rule of two people about an act on a payout: who completes it did not approve it, who books its return did neither,
 * and who booked the last return of a person does not approve their next payout. What one administrator does alone is
 * counted.
 */
export function secondPerson(
  { oracle }: Company,
  by: ModelPerson,
  request: ModelRequest,
  { act, acts: [approve, complete], besides = 0n }: Doing,
): { isAlone: boolean; isNeeded: boolean; count: () => void } {
  const did = (earlier: string) => request.doneBy.get(earlier);
  const rules = new Map<string, { duty: ModelDuty; after: readonly (string | undefined)[] }>([
    [approve, { duty: 'return', after: [oracle.bookedReturn(request)] }],
    [complete, { duty: 'payout', after: [did(approve)] }],
    ['return', { duty: 'return', after: [did(approve), did(complete)] }],
  ]);
  const rule = rules.get(act);
  const isAlone = rule?.after.includes(by.id) === true;
  if (rule === undefined || !isAlone) {
    return { isAlone: false, isNeeded: false, count: () => undefined };
  }
  return {
    isAlone,
    isNeeded: oracle.takesTwo(rule.duty, request.minor + besides),
    count: () => void oracle.countAlone(rule.duty, request.minor),
  };
}
