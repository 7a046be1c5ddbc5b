import { addDays, dayIn } from '#contract/calendar.ts';
import type { BillStatus } from '#contract/bills.ts';
import { money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { addPayee, billActs, scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { walletOf } from './funds.ts';
import { daysAgo, hoursAfter, named } from './story.ts';
import type { DemoPerson, Story } from './story.ts';

interface DemoBill {
  name: string;
  payee: string;
  /** Number under which the payee knows the person. */
  customerNumber: string;
  accountNumber: string;
  amountMinor: bigint;
  memo?: string;
  /** Days before today on which it is to be paid; below zero, after today. */
  payDaysAgo: number;
  ending: BillStatus;
}

/** Days from scheduling a bill to the day it is paid on. */
const DAYS_AHEAD = 9;
const FIBER = {
  name: 'Maya Castellanos',
  payee: 'Harbor Fiber',
  customerNumber: 'HF-220418',
  accountNumber: '40227755502',
  amountMinor: 7_000n,
  memo: 'Internet',
};

/** In every status, so that every queue has something in it. Amounts in cents. */
const BILLS: readonly DemoBill[] = [
  { ...FIBER, payDaysAgo: 61, ending: 'paid' },
  { ...FIBER, payDaysAgo: 30, ending: 'paid' },
  { ...FIBER, payDaysAgo: -5, ending: 'scheduled' },
  {
    name: 'Keiko Tanabe',
    payee: 'Cascade Power & Light',
    customerNumber: '77-10423',
    accountNumber: '118840226',
    amountMinor: 11_840n,
    payDaysAgo: 1,
    ending: 'sent',
  },
  {
    name: 'Daniel Kowalczyk',
    payee: 'Bright Steps Childcare',
    customerNumber: '',
    accountNumber: '5508119034',
    amountMinor: 18_000n,
    payDaysAgo: 1,
    ending: 'due',
  },
  {
    name: 'Priya Raghunathan',
    payee: 'Alder Insurance',
    customerNumber: 'AI-90077',
    accountNumber: '7300041182',
    amountMinor: 12_550n,
    payDaysAgo: 12,
    ending: 'returned',
  },
  {
    name: 'Marcus Whitfield',
    payee: 'Lakeside Dental',
    customerNumber: '20881',
    accountNumber: '6640098715',
    amountMinor: 9_000n,
    payDaysAgo: 5,
    ending: 'rejected',
  },
  {
    name: 'Zahra Benali',
    payee: 'Northside Gym',
    customerNumber: 'M-1184',
    accountNumber: '9021557740',
    amountMinor: 3_900n,
    payDaysAgo: 2,
    ending: 'cancelled',
  },
];

const WHY_REJECTED = 'The account does not exist.';
const WHY_RETURNED = 'The account is closed.';

/** Plans the bills: who entered whom, scheduled what, and how far an admin has brought it. */
export function planBills(story: Story, people: readonly DemoPerson[]): void {
  for (const bill of BILLS) {
    const scheduledAt = daysAgo(story, bill.payDaysAgo + DAYS_AHEAD, '19:30');
    story.timeline.at(scheduledAt, (tx) => schedule(tx, story, named(people, bill.name), bill));
  }
  for (const days of new Set(BILLS.map(({ payDaysAgo }) => payDaysAgo))) {
    story.timeline.aloneAt(daysAgo(story, days, '06:00'), async (db) => {
      await takeBills(db, story.services);
    });
  }
}

async function schedule(
  tx: Tx,
  story: Story,
  person: DemoPerson,
  {
    payee: name,
    customerNumber,
    accountNumber,
    amountMinor,
    memo = '',
    payDaysAgo,
    ending,
  }: DemoBill,
): Promise<void> {
  const { services, timeline, timeZone, now } = story;
  const payee = await addPayee(tx, services, person.by, {
    name,
    customerNumber,
    accountNumber,
    kind: 'business',
    accountType: 'checking',
    routingNumber: '021000021',
    isSaved: true,
  });
  const { id } = await scheduleBill(tx, services, person.by, {
    walletId: (await walletOf(tx, person, 'salary')).id,
    payeeId: payee.id,
    amount: money(amountMinor, 'USD'),
    payOn: addDays(dayIn(timeZone, now), -payDaysAgo),
    dueOn: null,
    memo,
  });
  // A bill is cancelled before its money is taken.
  let at = daysAgo(story, ending === 'cancelled' ? payDaysAgo + 1 : payDaysAgo, '07:00');
  for (const step of stepsTo(story, person, id, ending)) {
    at = hoursAfter(at, 3);
    timeline.at(at, async (later) => void (await step(later)));
  }
}

type Step = (tx: Tx) => Promise<unknown>;

/** Steps that bring a bill whose money was taken to that end. */
function stepsTo(
  { services, admins: [admin] }: Story,
  { by }: DemoPerson,
  id: string,
  ending: BillStatus,
): Step[] {
  const send: Step = (tx) => billActs.send(tx, services, admin, { id });
  const complete: Step = (tx) => billActs.complete(tx, services, admin, { id });
  switch (ending) {
    case 'scheduled':
    case 'due':
      return [];
    case 'cancelled':
      return [(tx) => billActs.cancel(tx, services, by, { id })];
    case 'sent':
      return [send];
    case 'paid':
      return [send, complete];
    case 'rejected':
      return [(tx) => billActs.stop(tx, services, admin, { id, reason: WHY_REJECTED })];
    case 'returned':
      return [
        send,
        complete,
        (tx) => billActs.return(tx, services, admin, { id, reason: WHY_RETURNED }),
      ];
  }
}
