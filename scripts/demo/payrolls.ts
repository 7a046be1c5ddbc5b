import type { RouteArguments } from '#contract/api.ts';
import { DEPARTMENT_IDS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  acknowledgeDifference,
  postPayroll,
  previewPayroll,
  sendPayroll,
} from '#server/modules/payroll/index.ts';
import { payDaysBefore } from './calendar.ts';
import { SALARIES } from './company.ts';
import { hoursAfter } from './story.ts';
import type { Story } from './story.ts';

const PAY_DAYS = 26;
/** Pay days on which the yearly raise counts: from the middle of the year. */
const RAISE_FROM = 13;
const RAISE_PERCENT = 103n;
/** Into savings with every other pay day, into retirement with every sixth. */
const SAVINGS_EVERY = 2;
const SAVINGS_MINOR = 20_000n;
const RETIREMENT_EVERY = 6;
const RETIREMENT_MINOR = 30_000n;

type Order = RouteArguments<'adminPreviewPayroll'>['body'];

/** Plans a year of payrolls: every department every two weeks, and what the company puts aside. */
export function planPayrolls(story: Story): void {
  for (const [index, payDay] of payDaysBefore(story.now, story.timeZone, PAY_DAYS).entries()) {
    const admin = story.admins[index % 4 === 0 ? 1 : 0];
    story.timeline.aloneAt(payDay, (db) => pay(db, story, admin, salaryOrders(index)));
    const further = furtherOrders(index);
    if (further.length === 0) continue;
    story.timeline.aloneAt(hoursAfter(payDay, 1), (db) => pay(db, story, admin, further));
  }
}

function salaryOrders(index: number): Order[] {
  return DEPARTMENT_IDS.map((department) => ({
    walletType: 'salary',
    department,
    amount: money(salary(department, index), 'USD'),
    description: 'Biweekly salary',
  }));
}

function salary(department: Department, index: number): bigint {
  const base = SALARIES[department];
  return index < RAISE_FROM ? base : (base * RAISE_PERCENT) / 100n;
}

function furtherOrders(index: number): Order[] {
  const orders: Order[] = [];
  if (index % SAVINGS_EVERY === 1) {
    orders.push({
      walletType: 'savings',
      department: 'all',
      amount: money(SAVINGS_MINOR, 'USD'),
      description: 'Company contribution to savings',
    });
  }
  if (index % RETIREMENT_EVERY === 5) {
    orders.push({
      walletType: 'retirement',
      department: 'all',
      amount: money(RETIREMENT_MINOR, 'USD'),
      description: 'Company contribution to retirement',
    });
  }
  return orders;
}

/** Confirms the orders together, then pays each, as the job would. */
async function pay(
  db: Db,
  story: Story,
  admin: CommandContext,
  orders: readonly Order[],
): Promise<void> {
  const batchIds = await withTx(db, async (tx) => {
    const ids: string[] = [];
    for (const order of orders) ids.push(await confirm(tx, story, admin, order));
    return ids;
  });
  for (const batchId of batchIds) await postPayroll(db, story.services, batchId);
}

async function confirm(
  tx: Tx,
  { services }: Story,
  admin: CommandContext,
  order: Order,
): Promise<string> {
  const reviewed = await previewPayroll(tx, services, admin, order);
  const { hash, alreadyPaid, differences } = reviewed;
  for (const { group } of differences?.groups ?? []) {
    await acknowledgeDifference(tx, services, admin, { hash, group, isAcknowledged: true });
  }
  const seen = { previewHash: hash, alreadyPaidHash: alreadyPaid?.hash };
  const batch = await sendPayroll(tx, services, admin, { ...order, ...seen });
  return batch.id;
}
