import type { RouteReply } from '#contract/api.ts';
import { billPayDay, nextBillDay, STANDING_HOLD_DAYS } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { scheduleStandingBills } from '#server/modules/payments/index.ts';
import { attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelStandingBill } from './things.ts';
import { noteBill, refusalsOfBill, refusalsToHold, wantedBill } from './bills.ts';
import { ownerMostly } from './requests.ts';

function create(company: Company): Attempt | null {
  const { oracle, random } = company;
  const wanted = wantedBill(company);
  if (wanted === null) return null;
  const { by, wallet, payee, minor, day } = wanted;
  const frequency = random.pick(['weekly', 'monthly']);
  const endsOn = random.chance(0.4) ? addDays(day, random.int(-2, 40)) : null;
  return attempt<RouteReply<'createStandingBill'>>({
    by,
    path: '/api/standing-bills',
    sends: minor,
    body: {
      walletId: wallet.id,
      payeeId: payee.id,
      amount: usd(minor),
      memo: '',
      frequency,
      startsOn: day,
      endsOn,
    },
    refusals: [
      ...refusalsOfBill(company, wanted),
      endsOn !== null && endsOn < day && 'standing_bill_end_invalid',
      ...(isNear(company, day) ? refusalsToHold(company, wanted) : []),
    ],
    async done({ id }) {
      const standing = {
        id,
        ownerId: by.id,
        walletId: wallet.id,
        payeeId: payee.id,
        minor,
        frequency,
        startsOn: day,
        endsOn,
        nextOn: day,
      };
      oracle.standingBills.set(id, standing);
      if (isNear(company, day)) await noteNext(company, standing, day);
    },
  });
}

function stop(company: Company): Attempt | null {
  const { oracle } = company;
  const all = oracle.standingBills.values();
  const standing = pickMostly(company, all, ({ nextOn }) => nextOn !== null);
  if (standing === null) return null;
  const by = ownerMostly(company, standing.ownerId);
  return attempt({
    by,
    path: `/api/standing-bills/${standing.id}/stop`,
    refusals: [
      by.id !== standing.ownerId && 'standing_bill_not_found',
      standing.nextOn === null && 'standing_bill_ended',
    ],
    done: () => {
      standing.nextOn = null;
    },
  });
}

function isNear({ today }: Company, day: string): boolean {
  return billPayDay(day, today(), 'USD') <= addDays(today(), STANDING_HOLD_DAYS);
}

/** The hourly job: schedules the next bill of each standing bill whose day is near, or leaves the days out that have passed. */
async function scheduleNext(company: Company): Promise<null> {
  const { app, oracle, now, today } = company;
  await scheduleStandingBills(app.db, { clock: { now } });
  for (const standing of oracle.standingBills.values()) {
    const { nextOn: day, ownerId, walletId, payeeId, minor } = standing;
    if (day === null || !isNear(company, day) || oracle.person(ownerId).hasLeft) continue;
    if (day < today()) {
      goOn(standing, addDays(today(), -1));
      continue;
    }
    const payee = oracle.payees.get(payeeId);
    if (payee === undefined) throw new Error(`nobody is paid by ${standing.id}`);
    const [by, wallet] = [oracle.person(ownerId), oracle.account(walletId)];
    const wanted = { by, wallet, payee, minor, day };
    const refusals = [...refusalsOfBill(company, wanted), ...refusalsToHold(company, wanted)];
    if (refusals.every((one) => one === false)) await noteNext(company, standing, day);
  }
  return null;
}

/** The bill of a standing bill for that day; the oracle says that there is one. */
async function noteNext(company: Company, standing: ModelStandingBill, day: string): Promise<void> {
  const { app, oracle } = company;
  const { id, ownerId, walletId, payeeId, minor } = standing;
  const rows = await app.db
    .selectFrom('bill')
    .select(['id', 'amountMinor'])
    .where('standingBillId', '=', id)
    .execute();
  const [made, ...others] = rows.filter((row) => !oracle.bills.has(row.id));
  if (made?.amountMinor !== minor || others.length > 0) {
    throw new Error(`the standing bill ${id} has ${others.length + 1} new bills for ${day}`);
  }
  const payee = oracle.payees.get(payeeId);
  if (payee === undefined) throw new Error(`nobody is paid by ${id}`);
  const [by, wallet] = [oracle.person(ownerId), oracle.account(walletId)];
  noteBill(company, made.id, {
    by,
    wallet,
    payee,
    minor,
    payOn: billPayDay(day, company.today(), 'USD'),
  });
  goOn(standing, day);
}

/** Its next day after a day, or its end where that would be past the last. */
function goOn(standing: ModelStandingBill, after: string): void {
  const next = nextBillDay(standing, after);
  standing.nextOn = standing.endsOn !== null && next > standing.endsOn ? null : next;
}

export const standingBillMoves: readonly Move[] = [
  { weight: 4, make: create },
  { weight: 1, make: stop },
  { weight: 5, make: scheduleNext },
];
