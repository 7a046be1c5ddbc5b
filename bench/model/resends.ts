import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { billPayDay } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { Company } from './company.ts';
import type { ModelRequest } from './things.ts';
import { noteBill, refusalsOfBill, refusalsToHold } from './bills.ts';
import { isDisputed } from './may-leave.ts';
import { isPayeeOf } from './payments.ts';
import { isUsable, ownerMostly } from './requests.ts';

/** The requests of a kind that share a number: the first one, and those that send each other again. */
function chainOf<Request extends ModelRequest>(all: ReadonlyMap<string, Request>, one: Request) {
  const firstOf = ({ id, resendsId }: ModelRequest): string => {
    const former = resendsId === undefined ? undefined : all.get(resendsId);
    return former === undefined ? id : firstOf(former);
  };
  return [...all.values()].filter((other) => firstOf(other) === firstOf(one));
}

/** True while another request sends this one again. */
function isSentAgain(all: ReadonlyMap<string, ModelRequest>, { id }: ModelRequest): boolean {
  const ended = ['rejected', 'cancelled'];
  return [...all.values()].some((one) => one.resendsId === id && !ended.includes(one.status));
}

/** Causes for which a request cannot be sent again. */
function refusalsToResend(all: ReadonlyMap<string, ModelRequest>, former: ModelRequest) {
  return {
    isOpen: former.status !== 'returned',
    isSentAgain: isSentAgain(all, former),
    number: `-${chainOf(all, former).length + 1}`,
  };
}

function checkNumber(reference: string, number: string): void {
  if (!reference.endsWith(number)) throw new Error(`${reference} should end with ${number}`);
}

function resendWithdrawal(company: Company): Attempt | null {
  const { oracle, now } = company;
  const { withdrawals } = oracle;
  const former = pickMostly(
    company,
    withdrawals.values(),
    (one) => one.status === 'returned' && !isSentAgain(withdrawals, one),
  );
  if (former === null) return null;
  const by = ownerMostly(company, former.ownerId);
  const bank = pickMostly(company, oracle.banks.values(), (one) => isUsable(one, by));
  if (bank === null) return null;
  const { walletId, minor } = former;
  const found = refusalsToResend(withdrawals, former);
  return attempt<RouteReply<'resendWithdrawal'>>({
    by,
    path: `/api/withdrawals/${former.id}/resend`,
    sends: minor,
    body: { bankAccountId: bank.id },
    refusals: [
      by.id !== former.ownerId && 'withdrawal_not_found',
      found.isOpen && 'withdrawal_wrong_status',
      found.isSentAgain && 'request_sent_again',
      isDisputed(company, former) && 'return_disputed',
      !isUsable(bank, by) && 'bank_account_not_verified',
      oracle.lacksIdentity(by) && 'identity_not_approved',
      by.isFrozen && 'own_payouts_frozen',
      oracle.account(walletId).isClosed && 'wallet_not_found',
      minor > oracle.available(walletId) && 'insufficient_funds',
    ],
    done({ id, reference }) {
      checkNumber(reference, found.number);
      withdrawals.set(id, {
        id,
        ownerId: by.id,
        walletId,
        bankId: bank.id,
        minor,
        fileId: null,
        status: 'pending',
        doneBy: new Map(),
        requestedAt: now(),
        resendsId: former.id,
      });
      oracle.hold(walletId, minor);
    },
  });
}

/** Sends a bill again, which confirms its payee. */
async function resendBill(company: Company): Promise<Attempt | null> {
  const { app, oracle, random, today } = company;
  const { bills } = oracle;
  const former = pickMostly(
    company,
    bills.values(),
    (one) => one.status === 'returned' && !isSentAgain(bills, one),
  );
  if (former === null) return null;
  const by = ownerMostly(company, former.ownerId);
  const payee = pickMostly(company, oracle.payees.values(), isPayeeOf(by));
  if (payee === null) return null;
  const days = random.chance(0.05) ? -1 : random.int(0, 9);
  const day = addDays(today(), days);
  const wanted = { by, wallet: oracle.account(former.walletId), payee, minor: former.minor, day };
  const found = refusalsToResend(bills, former);
  // A run does more in an hour than a person may.
  await sql`DELETE FROM rate_limit`.execute(app.db);
  return attempt<RouteReply<'resendBill'>>({
    by,
    path: `/api/bills/${former.id}/resend`,
    sends: former.minor,
    confirms: true,
    body: { payeeId: payee.id, change: null, payOn: day },
    refusals: [
      by.id !== former.ownerId && 'bill_not_found',
      found.isOpen && 'bill_wrong_status',
      found.isSentAgain && 'request_sent_again',
      isDisputed(company, former) && 'return_disputed',
      ...refusalsOfBill(company, wanted).filter((code) => code !== 'payee_returned'),
      ...refusalsToHold(company, wanted),
    ],
    done({ id, reference, payOn }) {
      checkNumber(reference, found.number);
      if (payOn !== billPayDay(day, today(), 'USD'))
        throw new Error(`a bill of ${day} is paid ${payOn}`);
      payee.isReturned = false;
      noteBill(company, id, { ...wanted, payOn });
      const bill = bills.get(id);
      if (bill !== undefined) bill.resendsId = former.id;
    },
  });
}

export const resendMoves: readonly Move[] = [
  { weight: 4, make: resendWithdrawal },
  { weight: 4, make: resendBill },
];
