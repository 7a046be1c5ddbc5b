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

interface Rule {
  act: string;
  duty: ModelDuty;
  /** Ids of those who did the earlier acts. */
  after: readonly (string | null | undefined)[];
}

/**
 * The rules of two people about an act on a payout: who verified the account of a withdrawal does not approve it, who
 * completes a payout did not approve it, who books its return did neither, and who booked the last return of a person does
 * not approve their next payout. What one administrator does alone is counted.
 */
export function secondPerson(
  { oracle }: Company,
  by: ModelPerson,
  request: ModelRequest,
  { act, acts: [approve, complete], besides = 0n }: Doing,
): { isAlone: boolean; isNeeded: boolean; count: () => void } {
  const did = (earlier: string) => request.doneBy.get(earlier);
  const { minor, ownerId } = request;
  const verifier = 'bankId' in request ? oracle.bank(String(request.bankId)).verifiedBy : null;
  const rules: readonly Rule[] = [
    { act: approve, duty: 'bankAccount', after: [verifier] },
    { act: approve, duty: 'return', after: [oracle.bookedReturn(request)] },
    { act: complete, duty: 'payout', after: [did(approve)] },
    { act: 'return', duty: 'return', after: [did(approve), did(complete)] },
  ];
  const broken = rules.filter((rule) => rule.act === act && oracle.isAlone(by, rule.after));
  return {
    isAlone: broken.length > 0,
    isNeeded: broken.some(({ duty }) => oracle.takesTwo(duty, minor + besides, ownerId)),
    count() {
      for (const { duty } of broken) oracle.countAlone(duty, minor, ownerId);
    },
  };
}
