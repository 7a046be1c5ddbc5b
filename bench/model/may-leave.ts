import type { ModelFile, ModelPayment, ModelProof } from './bank-things.ts';
import { secondPerson } from './came-back.ts';
import type { Company } from './company.ts';
import type { ModelBank, ModelBill, ModelPerson, ModelRequest, ModelWithdrawal } from './things.ts';

/** The prenote or the micro-deposits that the company asks for now, to an account as it was handed in last. */
export function proofOf({ oracle }: Company, bank: ModelBank): ModelProof | undefined {
  const { bankAccountProof: kind } = oracle.rules;
  return oracle
    .proofs()
    .find(
      (one) =>
        one.bankId === bank.id &&
        one.kind === kind &&
        one.asOf.getTime() === bank.submittedAt.getTime() &&
        one.items[0]?.isLive === true,
    );
}

/** True for an account that waits for a prenote or micro-deposits, and is in no file. */
export function needsProof(company: Company, bank: ModelBank): boolean {
  const isAsked = company.oracle.rules.bankAccountProof !== 'none';
  return isAsked && bank.status === 'pending' && proofOf(company, bank) === undefined;
}

/** True while its bank asks for other details of the account as it is, and nobody has decided on that. */
export function isChangeOpen({ oracle }: Company, { id, submittedAt }: ModelBank): boolean {
  return [...oracle.returnEntries.values()].some(({ kind, status, payment }) => {
    const request = payment?.request;
    if (kind !== 'change' || status !== 'proposed' || request === undefined) return false;
    return 'bankId' in request && request.bankId === id && submittedAt <= request.requestedAt;
  });
}

/** True while another bank has rejected the return of a request, or of the one that it sends again. */
export function isDisputed({ oracle }: Company, request: ModelRequest): boolean {
  if (request.status !== 'returned' && request.resendsId === undefined) return false;
  const last = [...oracle.returnEntries.values()].findLast(({ kind, payment }) => {
    const about = payment?.request;
    const isEither = about?.id === request.id || about?.id === request.resendsId;
    const isOf = isEither && about?.status === 'returned';
    return isOf && (kind === 'dishonored' || kind === 'contested');
  });
  return last?.kind === 'dishonored';
}

/** True if money of a withdrawal may leave now, by hand or in a file. */
export function mayLeave(company: Company, withdrawal: ModelWithdrawal): boolean {
  const { bankId, ownerId } = withdrawal;
  const { oracle, now } = company;
  const bank = oracle.bank(bankId);
  const isUsable = bank.status === 'verified' && !isChangeOpen(company, bank);
  if (isDisputed(company, withdrawal)) return false;
  const isHeld = oracle.isStopped || oracle.person(ownerId).isFrozen;
  return isUsable && !isHeld && !oracle.coolsOff(bank.submittedAt, now());
}

/** True while the money of a bill waits because its payee was entered a short time ago. */
export function billCoolsOff({ oracle, now }: Company, { payeeId }: ModelBill): boolean {
  const payee = oracle.payees.get(payeeId);
  return payee !== undefined && oracle.coolsOff(payee.enteredAt, now());
}

export function billMayLeave(company: Company, bill: ModelBill): boolean {
  const { oracle } = company;
  const isReturned = oracle.payees.get(bill.payeeId)?.isReturned === true;
  const isHeld = oracle.isStopped || oracle.person(bill.ownerId).isFrozen;
  return !isReturned && !isHeld && !billCoolsOff(company, bill) && !isDisputed(company, bill);
}

/** True if an administrator may put a withdrawal into a file now. */
export function isReady(company: Company, by: ModelPerson, one: ModelWithdrawal): boolean {
  const isOpen = one.status === 'approved' && one.fileId === null && one.ownerId !== by.id;
  return isOpen && mayLeave(company, one);
}

export function isReadyBill(company: Company, by: ModelPerson, one: ModelBill): boolean {
  const second = secondPerson(company, by, one, { act: 'send', acts: ['send', 'complete'] });
  const isOpen = one.status === 'due' && one.fileId === null && one.ownerId !== by.id;
  return isOpen && billMayLeave(company, one) && !second.isNeeded;
}

/** Amount of a file, in minor units. */
export function totalOf({ withdrawals, bills, proofs }: ModelFile): bigint {
  const items = [...withdrawals, ...bills, ...proofs.flatMap((proof) => proof.items)];
  return items.reduce((sum, { minor }) => sum + minor, 0n);
}

/** True for a payment that left in its file and did not come back. */
export function isOut({ fileId, request }: ModelPayment): boolean {
  const out = ['processing', 'completed', 'sent', 'paid'];
  return request.fileId === fileId && out.includes(request.status);
}
