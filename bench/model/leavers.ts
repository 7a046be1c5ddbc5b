import type { RouteReply } from '#contract/api.ts';
import { sweepRecoveries } from '#server/modules/payroll/index.ts';
import { anAdmin, attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelPerson } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };

function employeesOf({ oracle }: Company): ModelPerson[] {
  return [...oracle.people.values()].filter(({ isEmployee, isAdmin }) => isEmployee && !isAdmin);
}

/** Deactivates somebody, also whom a payroll is about to pay: their sessions end, and their money stays theirs. */
function deactivate(company: Company): Attempt | null {
  const person = pickMostly(company, employeesOf(company), ({ hasLeft }) => !hasLeft);
  const isLast = employeesOf(company).filter(({ hasLeft }) => !hasLeft).length < 3;
  if (person === null || isLast) return null;
  return attempt({
    by: anAdmin(company),
    path: `/api/admin/people/${person.id}/deactivate`,
    body: REASON,
    confirms: true,
    refusals: [person.hasLeft && 'person_wrong_standing'],
    async done() {
      const { cookie } = person;
      person.hasLeft = true;
      company.oracle.ended.push(cookie, person.weakCookie, person.newCookie);
      const reply = await company.app.ask('GET', '/api/wallets', { cookie });
      if (reply.status !== 401) throw new Error(`${person.name} left and still reads`);
      await sweep(company);
    },
  });
}

/** Lets somebody in again. */
function reactivate(company: Company): Attempt | null {
  const person = pickMostly(company, employeesOf(company), ({ hasLeft }) => hasLeft);
  if (person === null) return null;
  return attempt({
    by: anAdmin(company),
    path: `/api/admin/people/${person.id}/reactivate`,
    body: REASON,
    confirms: true,
    refusals: [!person.hasLeft && 'person_wrong_standing'],
    async done() {
      person.hasLeft = false;
      await company.signIn(person);
    },
  });
}

/** The hourly job: ends proposals without an answer, and recoveries of people who left. */
async function sweep({ app, oracle, now, today }: Company): Promise<null> {
  await sweepRecoveries(app.db, { clock: { now } });
  for (const recovery of oracle.recoveries.values()) {
    const { status, personId, answerBy } = recovery;
    const isOpen = status === 'proposed' || status === 'accepted';
    if (isOpen && oracle.person(personId).hasLeft) recovery.status = 'ended';
    else if (status === 'proposed' && answerBy < today()) recovery.status = 'expired';
  }
  return null;
}

/** Requests everything that a person who left has available, in their place. */
function payOut(company: Company): Attempt | null {
  const { oracle, random, now } = company;
  const person = pickMostly(company, employeesOf(company), ({ hasLeft }) => hasLeft);
  if (person === null) return null;
  const isOwn = ({ ownerId }: { ownerId: string }) => ownerId === person.id;
  const isVerified = ({ status }: { status: string }) => status === 'verified';
  const bank = pickMostly(company, oracle.banks.values(), (one) => isOwn(one) && isVerified(one));
  if (bank === null) return null;
  const by = anAdmin(company);
  const paid = oracle.accountsOf(person.id).filter(({ id }) => oracle.available(id) > 0n);
  const total = paid.reduce((sum, { id }) => sum + oracle.available(id), 0n);
  const isStale = random.chance(0.1);
  const named = total + (isStale || total === 0n ? 1n : 0n);
  return attempt<RouteReply<'adminPayOutLeaver'>>({
    by,
    path: `/api/admin/people/${person.id}/payouts`,
    confirms: true,
    comparesMoney: true,
    body: { bankAccountId: bank.id, total: usd(named) },
    refusals: [
      !person.hasLeft && 'person_still_here',
      total === 0n && 'nothing_to_pay_out',
      isStale && 'conflict',
      !(isOwn(bank) && isVerified(bank)) && 'bank_account_not_verified',
    ],
    done({ withdrawals }) {
      if (withdrawals.length !== paid.length) throw new Error(`${withdrawals.length} payouts`);
      for (const { id, walletId, amount } of withdrawals) {
        if (amount.minor !== String(oracle.available(walletId))) {
          throw new Error(`${amount.minor} of ${walletId} is paid out`);
        }
        const minor = BigInt(amount.minor);
        oracle.withdrawals.set(id, {
          id,
          ownerId: person.id,
          walletId,
          bankId: bank.id,
          minor,
          fileId: null,
          status: 'pending',
          doneBy: new Map([['request', by.id]]),
          requestedAt: now(),
        });
        oracle.hold(walletId, minor);
      }
    },
  });
}

export const leaverMoves: readonly Move[] = [
  { weight: 2, make: deactivate },
  { weight: 2, make: reactivate },
  { weight: 2, make: payOut },
  { weight: 2, make: sweep },
];
