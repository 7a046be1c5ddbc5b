import type { RouteReply } from '#contract/api.ts';
import { billPayDay } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { anAmount, anEmployee, attempt, isOpenOf, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { noteBill, refusalsOfBill, refusalsToHold } from './bills.ts';
import { isPayeeOf } from './payments.ts';
import { ownerMostly } from './requests.ts';

/** Puts another bill in the place of a scheduled one: what that held is available to it. */
function changeBill(company: Company): Attempt | null {
  const { oracle, random, today } = company;
  const former = pickMostly(company, oracle.bills.values(), ({ status }) => status === 'scheduled');
  if (former === null) return null;
  const by = ownerMostly(company, former.ownerId);
  const isScheduled = former.status === 'scheduled' && by.id === former.ownerId;
  const wallet = random.chance(0.7)
    ? oracle.account(former.walletId)
    : pickMostly(company, oracle.accounts.values(), isOpenOf(by));
  const payee = pickMostly(company, oracle.payees.values(), isPayeeOf(by));
  if (wallet === null || payee === null) return null;
  const day = addDays(today(), random.chance(0.05) ? 366 : random.int(0, 9));
  const isMore = random.chance(0.3);
  const minor = isMore ? oracle.available(wallet.id) + former.minor : anAmount(company);
  if (minor <= 0n) return null;
  const wanted = { by, wallet, payee, minor, day };
  const payOn = billPayDay(day, today(), 'USD');
  if (isScheduled) endBill(company, former);
  const refusals = [...refusalsOfBill(company, wanted), ...refusalsToHold(company, wanted)];
  if (isScheduled) {
    former.status = 'scheduled';
    oracle.hold(former.walletId, former.minor);
  }
  return attempt<RouteReply<'changeBill'>>({
    by,
    method: 'PUT',
    path: `/api/bills/${former.id}`,
    sends: minor,
    body: { walletId: wallet.id, payeeId: payee.id, amount: usd(minor), payOn: day, memo: '' },
    refusals: [
      by.id !== former.ownerId && 'bill_not_found',
      former.status !== 'scheduled' && 'bill_wrong_status',
      ...refusals,
    ],
    done({ id }) {
      endBill(company, former);
      noteBill(company, id, { ...wanted, payOn });
    },
  });
}

function endBill({ oracle }: Company, bill: { walletId: string; minor: bigint; status: string }) {
  bill.status = 'cancelled';
  oracle.release(bill.walletId, bill.minor);
}

/** Removes a payee: what is scheduled is paid, and what stands ends. */
function removePayee(company: Company): Attempt | null {
  const { oracle } = company;
  const by = anEmployee(company);
  const payee = pickMostly(company, oracle.payees.values(), isPayeeOf(by));
  if (payee === null) return null;
  return attempt({
    by,
    method: 'DELETE',
    path: `/api/payees/${payee.id}`,
    refusals: [!isPayeeOf(by)(payee) && 'payee_not_found'],
    done() {
      payee.isRemoved = true;
      for (const standing of oracle.standingBills.values()) {
        if (standing.payeeId === payee.id) standing.nextOn = null;
      }
    },
  });
}

/** Edits a payee: another one takes its place, without a mark, and what stands goes to it. */
function updatePayee(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const payee = pickMostly(company, oracle.payees.values(), isPayeeOf(by));
  if (payee === null) return null;
  const standing = [...oracle.standingBills.values()].filter(
    ({ payeeId, nextOn }) => payeeId === payee.id && nextOn !== null,
  );
  const isOtherAccount = random.chance(0.5);
  return attempt<RouteReply<'updatePayee'>>({
    by,
    method: 'PUT',
    path: `/api/payees/${payee.id}`,
    sends: isOtherAccount ? standing.reduce((sum, { minor }) => sum + minor, 0n) : 0n,
    confirms: true,
    body: {
      name: 'Harbor Fiber East',
      kind: 'business',
      routingNumber: '021000021',
      accountType: 'checking',
      ...(isOtherAccount && { accountNumber: random.digits(11) }),
    },
    refusals: [!isPayeeOf(by)(payee) && 'payee_not_found'],
    done({ id }) {
      payee.isRemoved = true;
      oracle.payees.set(id, {
        id,
        ownerId: by.id,
        isReturned: false,
        isRemoved: false,
        enteredAt: company.now(),
      });
      for (const one of standing) one.payeeId = id;
    },
  });
}

export const billChangeMoves: readonly Move[] = [
  { weight: 4, make: changeBill },
  { weight: 1, make: removePayee },
  { weight: 2, make: updatePayee },
];
