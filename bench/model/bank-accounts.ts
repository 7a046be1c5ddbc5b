import type { RouteReply } from '#contract/api.ts';
import { addBankingDays, bankingToday } from '#contract/banking-days.ts';
import { expireMicroDeposits, passPrenotes } from '#server/modules/bank-accounts/index.ts';
import { settlePrenoteFiles } from '#server/modules/payouts/index.ts';
import { anAdmin, anEmployee, attempt, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { ModelProof } from './bank-things.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { proofOf, totalOf } from './may-leave.ts';
import { ownerMostly } from './requests.ts';
import type { ModelBank } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };
/** Times that the amounts of micro-deposits are entered, and banking days in which they are (docs/rules.md, "Bank accounts"). */
const TRIES = 3;
const ENTER_DAYS = 10;
/** Banking days in which a bank can send a prenote back. */
const PRENOTE_DAYS = 3;

/** Day of the settlement of a proof whose file was sent; null before. */
function sentFor({ oracle }: Company, { fileId, effectiveOn }: ModelProof): string | null {
  const { status } = oracle.file(fileId);
  return status === 'sent' || status === 'settled' ? effectiveOn : null;
}

/** Last day on which the amounts of micro-deposits can be entered; null before they were sent. */
function lastDayOf(company: Company, proof: ModelProof): string | null {
  const { sentAt } = company.oracle.file(proof.fileId);
  if (sentAt === null) return null;
  const sentOn = bankingToday(sentAt, 'USD');
  const knownOn = sentOn > proof.effectiveOn ? sentOn : proof.effectiveOn;
  return addBankingDays(knownOn, ENTER_DAYS, 'USD');
}

/** True if what the company asks for keeps an administrator from verifying an account. */
function isUnproved(company: Company, bank: ModelBank): boolean {
  const proof = proofOf(company, bank);
  if (company.oracle.rules.bankAccountProof === 'none') return false;
  const settledOn = proof === undefined ? null : sentFor(company, proof);
  if (proof === undefined || settledOn === null) return true;
  if (proof.kind === 'micro_deposits') return !proof.isProved;
  const verifiableOn = addBankingDays(settledOn, PRENOTE_DAYS, 'USD');
  return bankingToday(company.now(), 'USD') < verifiableOn;
}

/** True while an owner can enter the amounts of micro-deposits. */
function canEnter(company: Company, bank: ModelBank): boolean {
  const proof = proofOf(company, bank);
  if (proof?.kind !== 'micro_deposits' || proof.isProved || proof.tries >= TRIES) return false;
  const today = bankingToday(company.now(), 'USD');
  const [settledOn, lastDay] = [sentFor(company, proof), lastDayOf(company, proof)];
  return settledOn !== null && lastDay !== null && today >= settledOn && today <= lastDay;
}

const DETAILS = {
  bankName: 'Cascade Federal Credit Union',
  accountType: 'checking',
  routingNumber: '021000021',
};

/** Accounts that their owners did not remove. */
function banksOf({ oracle }: Company): ModelBank[] {
  return [...oracle.banks.values()].filter(({ status }) => status !== 'removed');
}

function addBank(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const own = banksOf(company).filter(({ ownerId }) => ownerId === by.id);
  if (own.length >= 3) return null;
  return attempt<RouteReply<'addBankAccount'>>({
    by,
    path: '/api/bank-accounts',
    confirms: true,
    body: { ...DETAILS, accountNumber: random.digits(12), accountHolderName: by.name },
    refusals: [],
    done({ id }) {
      oracle.banks.set(id, {
        id,
        ownerId: by.id,
        status: 'pending',
        submittedAt: company.now(),
        verifiedBy: null,
      });
    },
  });
}

/** Hands an account in again: mostly one that was rejected, or that the bank sent a payout back from. */
function enterAgain(company: Company): Attempt | null {
  const { oracle, random } = company;
  const isOpen = ({ status }: ModelBank) => status === 'returned' || status === 'rejected';
  const isOdd = random.chance(0.1);
  const bank = pickOne(
    company,
    banksOf(company).filter((one) => isOdd || isOpen(one)),
  );
  if (bank === null || oracle.person(bank.ownerId).hasLeft) return null;
  const by = oracle.person(bank.ownerId);
  return attempt({
    by,
    path: `/api/bank-accounts/${bank.id}`,
    method: 'PUT',
    confirms: true,
    body: { ...DETAILS, accountHolderName: by.name },
    refusals: [bank.status !== 'returned' && oracle.usesOf(bank.id) > 0 && 'bank_account_in_use'],
    done: () => {
      bank.status = 'pending';
      bank.submittedAt = company.now();
    },
  });
}

/** Removes an account that no money is on its way to. */
function remove(company: Company): Attempt | null {
  const { oracle } = company;
  const isOpen = ({ status }: ModelBank) => status === 'rejected' || status === 'returned';
  const bank = pickMostly(company, oracle.banks.values(), isOpen);
  if (bank === null) return null;
  const by = ownerMostly(company, bank.ownerId);
  const isGone = bank.status === 'removed' || by.id !== bank.ownerId;
  return attempt({
    by,
    method: 'DELETE',
    path: `/api/bank-accounts/${bank.id}`,
    confirms: true,
    refusals: [
      isGone && 'bank_account_not_found',
      oracle.usesOf(bank.id) > 0 && 'bank_account_in_use',
    ],
    done: () => {
      bank.status = 'removed';
    },
  });
}

function decide(company: Company): Attempt | null {
  const { oracle, random } = company;
  const bank = pickMostly(
    company,
    banksOf(company),
    (one) => one.status === 'pending' && (!isUnproved(company, one) || random.chance(0.2)),
  );
  if (bank === null) return null;
  const by = anAdmin(company);
  const act = random.chance(0.9) ? 'verify' : 'reject';
  const refusal =
    oracle.rules.bankAccountProof === 'prenote' ? 'bank_account_untested' : 'bank_account_unproved';
  return attempt({
    by,
    path: `/api/admin/bank-accounts/${bank.id}/${act}`,
    confirms: act === 'verify',
    body: REASON,
    refusals: [
      by.id === bank.ownerId && 'own_request',
      bank.status !== 'pending' && 'bank_account_not_pending',
      act === 'verify' && bank.status === 'pending' && isUnproved(company, bank) && refusal,
    ],
    done: () => {
      bank.status = act === 'verify' ? 'verified' : 'rejected';
      if (act === 'verify') bank.verifiedBy = by.id;
    },
  });
}

const inOrder = (minors: readonly bigint[]) =>
  minors.toSorted((one, other) => Number(one - other)).join();

/** An owner enters the amounts of two micro-deposits, in either order, right or wrong. */
function enterAmounts(company: Company): Attempt | null {
  const { random } = company;
  const bank = pickMostly(company, banksOf(company), (one) => canEnter(company, one));
  if (bank === null) return null;
  const proof = proofOf(company, bank);
  const by = ownerMostly(company, bank.ownerId);
  const isDeposited = proof?.kind === 'micro_deposits';
  const minors = isDeposited ? proof.items.map(({ minor }) => minor) : [1n, 2n];
  const [first = 1n, second = 2n] = random.chance(0.5) ? minors : minors.toReversed();
  const isRight = random.chance(0.7);
  const entered = isRight ? [first, second] : [first, second === 99n ? 98n : second + 1n];
  const isSame = inOrder(entered) === inOrder(minors);
  return attempt<RouteReply<'enterMicroDeposits'>>({
    by,
    path: `/api/bank-accounts/${bank.id}/micro-deposits`,
    comparesMoney: true,
    body: { first: usd(entered[0] ?? 1n), second: usd(entered[1] ?? 2n) },
    refusals: [
      by.id !== bank.ownerId && 'bank_account_not_found',
      bank.status !== 'pending' && 'bank_account_not_pending',
      !canEnter(company, bank) && 'micro_deposits_closed',
    ],
    done(reply) {
      if (proof === undefined) throw new Error(`${bank.id} has no deposits`);
      if (reply.isRight !== isSame) throw new Error(`${String(entered)} of ${String(minors)}`);
      proof.tries += 1;
      proof.isProved = isSame;
      if (!isSame && proof.tries === TRIES) bank.status = 'rejected';
    },
  });
}

/** The hourly jobs: amounts that were not entered in time, and files of prenotes whose day is over. */
async function sweepProofs(company: Company): Promise<null> {
  const { app, oracle, now } = company;
  const services = { ...app.services, clock: { now } };
  await passPrenotes(app.db, services);
  await expireMicroDeposits(app.db, services);
  await settlePrenoteFiles(app.db, services);
  const today = bankingToday(now(), 'USD');
  for (const bank of oracle.banks.values()) {
    const proof = bank.status === 'pending' ? proofOf(company, bank) : undefined;
    if (proof?.kind !== 'micro_deposits' || proof.isProved) continue;
    const lastDay = lastDayOf(company, proof);
    if (lastDay !== null && today > lastDay) bank.status = 'rejected';
  }
  for (const file of oracle.files.values()) {
    const days = file.proofs.map(({ effectiveOn }) => effectiveOn).toSorted();
    const isOver = (days.at(-1) ?? today) < today;
    if (file.status === 'sent' && totalOf(file) === 0n && isOver) file.status = 'settled';
  }
  return null;
}

export const bankAccountMoves: readonly Move[] = [
  { weight: 5, make: addBank },
  { weight: 5, make: enterAgain },
  { weight: 1, make: remove },
  { weight: 9, make: decide },
  { weight: 8, make: enterAmounts },
  { weight: 3, make: sweepProofs },
];
