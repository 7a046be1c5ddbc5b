import type { RouteReply } from '#contract/api.ts';
import { billPayDay } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { takeBills } from '#server/modules/payments/index.ts';
import { anAdmin, anAmount, anEmployee, attempt, isOpenOf, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { noteReturnedBill, secondPerson } from './came-back.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { billCoolsOff, isDisputed } from './may-leave.ts';
import { isPayeeOf } from './payments.ts';
import { ownerMostly } from './requests.ts';
import type { ModelAccount, ModelPayee, ModelPerson } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };
/** Limits in minor units (docs/rules.md, "Bills"). */
const BILL = { most: 2_500_000n, daily: 5_000_000n };

/** A bill that somebody wants to have paid on a day. */
export interface WantedBill {
  by: ModelPerson;
  wallet: ModelAccount;
  payee: ModelPayee;
  minor: bigint;
  day: string;
}

/** A bill of somebody by chance. */
export function wantedBill(company: Company): WantedBill | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const wallet = pickMostly(company, oracle.accounts.values(), isOpenOf(by));
  const payee = pickMostly(company, oracle.payees.values(), isPayeeOf(by));
  if (wallet === null || payee === null) return null;
  const days = random.chance(0.05) ? random.pick([-1, 366]) : random.int(0, 9);
  return { by, wallet, payee, minor: anAmount(company), day: addDays(company.today(), days) };
}

/** Causes for which a bill is refused whenever its money is held. */
export function refusalsOfBill(company: Company, { by, wallet, payee, minor, day }: WantedBill) {
  const { oracle } = company;
  const isWithin = day >= company.today() && day <= addDays(company.today(), 365);
  return [
    minor > BILL.most && 'bill_limit',
    !isWithin && 'bill_day_invalid',
    oracle.lacksIdentity(by) && 'identity_not_approved',
    oracle.isStopped && 'payments_stopped',
    by.isFrozen && 'own_payouts_frozen',
    !isOpenOf(by)(wallet) && 'wallet_not_found',
    !isPayeeOf(by)(payee) && 'payee_not_found',
    payee.ownerId === by.id && payee.isReturned && 'payee_returned',
  ];
}

/** Causes for which the money of a bill cannot be held. */
export function refusalsToHold({ oracle, today }: Company, { by, wallet, minor, day }: WantedBill) {
  const payOn = billPayDay(day, today(), 'USD');
  const ended = ['rejected', 'cancelled', 'returned'];
  const scheduled = [...oracle.bills.values()]
    .filter((one) => one.ownerId === by.id && one.payOn === payOn && !ended.includes(one.status))
    .reduce((sum, one) => sum + one.minor, 0n);
  return [
    scheduled + minor > BILL.daily && 'bill_daily_limit',
    minor > oracle.available(wallet.id) && 'insufficient_funds',
  ];
}

/** Holds the money of a bill on paper. */
export function noteBill(
  { oracle, now }: Company,
  id: string,
  { by, wallet, payee, minor, payOn }: Omit<WantedBill, 'day'> & { payOn: string },
): void {
  oracle.bills.set(id, {
    id,
    ownerId: by.id,
    walletId: wallet.id,
    payeeId: payee.id,
    minor,
    payOn,
    status: 'scheduled',
    doneBy: new Map(),
    fileId: null,
    requestedAt: now(),
  });
  oracle.hold(wallet.id, minor);
}

function scheduleBill(company: Company): Attempt | null {
  const wanted = wantedBill(company);
  if (wanted === null) return null;
  const { by, wallet, payee, minor, day } = wanted;
  const payOn = billPayDay(day, company.today(), 'USD');
  return attempt<RouteReply<'scheduleBill'>>({
    by,
    path: '/api/bills',
    sends: minor,
    body: { walletId: wallet.id, payeeId: payee.id, amount: usd(minor), payOn: day, memo: '' },
    refusals: [...refusalsOfBill(company, wanted), ...refusalsToHold(company, wanted)],
    done({ id, payOn: said }) {
      if (said !== payOn) throw new Error(`a bill of ${day} is paid on ${said}, not on ${payOn}`);
      noteBill(company, id, { ...wanted, payOn });
    },
  });
}

function cancelBill(company: Company): Attempt | null {
  const { oracle } = company;
  const bill = pickMostly(company, oracle.bills.values(), ({ status }) => status === 'scheduled');
  if (bill === null) return null;
  const by = ownerMostly(company, bill.ownerId);
  return attempt({
    by,
    path: `/api/bills/${bill.id}/cancel`,
    refusals: [
      by.id !== bill.ownerId && 'bill_not_found',
      bill.status !== 'scheduled' && 'bill_wrong_status',
    ],
    done() {
      bill.status = 'cancelled';
      oracle.release(bill.walletId, bill.minor);
    },
  });
}

const BILL_ACTS = {
  send: { from: ['due'], to: 'sent' },
  complete: { from: ['sent'], to: 'paid' },
  stop: { from: ['due', 'sent'], to: 'rejected' },
  return: { from: ['paid'], to: 'returned' },
} as const;

function decideOnBill(company: Company): Attempt | null {
  const { oracle, random } = company;
  const act = random.pick([
    'send',
    'send',
    'send',
    'complete',
    'complete',
    'stop',
    'return',
    'return',
  ]);
  const from: readonly string[] = BILL_ACTS[act].from;
  const bill = pickMostly(company, oracle.bills.values(), ({ status }) => from.includes(status));
  if (bill === null) return null;
  const by = anAdmin(company);
  const { minor, walletId, doneBy } = bill;
  const payee = oracle.payees.get(bill.payeeId);
  const file = bill.fileId === null ? undefined : oracle.files.get(bill.fileId);
  const isInFile = file?.status === 'prepared' || file?.status === 'downloaded';
  const hasLeft = file?.status === 'sent' || file?.status === 'settled';
  const second = secondPerson(company, by, bill, { act, acts: ['send', 'complete'] });
  return attempt({
    by,
    path: `/api/admin/bills/${bill.id}/${act}`,
    confirms: act !== 'stop',
    ...((act === 'stop' || act === 'return') && { body: REASON }),
    refusals: [
      by.id === bill.ownerId && 'own_request',
      !from.includes(bill.status) && 'bill_wrong_status',
      act === 'stop' && hasLeft && 'bill_wrong_status',
      act === 'complete' && hasLeft && 'payout_sent_in_file',
      (act === 'send' || act === 'stop') && isInFile && 'payout_in_file',
      act === 'send' && payee?.isReturned === true && 'payee_not_confirmed',
      act === 'send' && oracle.isStopped && 'payouts_stopped',
      act === 'send' && isDisputed(company, bill) && 'return_disputed',
      act === 'send' && billCoolsOff(company, bill) && 'payout_cooling_off',
      act === 'send' && oracle.person(bill.ownerId).isFrozen && 'payouts_frozen',
      second.isNeeded && 'second_person_needed',
    ],
    done() {
      second.count();
      bill.status = BILL_ACTS[act].to;
      doneBy.set(act, by.id);
      if (act === 'stop') oracle.release(walletId, minor);
      if (act === 'complete') {
        bill.leftAt = company.now();
        oracle.release(walletId, minor);
        oracle.post(walletId, 'bill', -minor, company.now());
      }
      if (act === 'return') noteReturnedBill(company, bill, by);
    },
  });
}

/** The hourly job: takes the bills whose day has come. */
async function takeDueBills(company: Company): Promise<null> {
  const { app, oracle } = company;
  await takeBills(app.db, { clock: { now: company.now } });
  for (const bill of oracle.bills.values()) {
    const isReturned = oracle.payees.get(bill.payeeId)?.isReturned === true;
    const isStopped = oracle.isStopped || billCoolsOff(company, bill);
    const isHeld = isReturned || isStopped || oracle.person(bill.ownerId).isFrozen;
    const isDue = bill.status === 'scheduled' && bill.payOn <= company.today() && !isHeld;
    if (isDue) bill.status = 'due';
  }
  return null;
}

export const billMoves: readonly Move[] = [
  { weight: 8, make: scheduleBill },
  { weight: 2, make: cancelBill },
  { weight: 10, make: decideOnBill },
  { weight: 5, make: takeDueBills },
];
