import { randomUUID } from 'node:crypto';
import type {
  AdminBill,
  Bill,
  Funding,
  PayrollDraft,
  PayrollPreview,
  RouteReply,
  StandingBill,
} from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { sendPreviewed } from './client.ts';
import type { Client } from './client.ts';
import { note } from './journal.ts';
import type { LoadOptions } from './load-options.ts';
import { MARKED_PAYEE, returnBill } from './returned-load.ts';

const MINOR = 100n;
const AMOUNT = { minor: MINOR.toString(), currency: 'USD' };
const EMPLOYEE_MS = 120;
const ADMIN_MS = 400;
const REASON = 'A reason that is long enough';
const TIME_ZONE = 'America/New_York';

/**
 * Work besides withdrawals, deposits and payroll for everybody: payments to colleagues, moves between own accounts, bills,
 * standing bills, drafts with own amounts, individual funding, and reversals of lines.
 */
export function furtherWork(
  options: LoadOptions,
): { turn: () => Promise<void>; everyMs: number }[] {
  const bills: string[] = [];
  const everyMs = EMPLOYEE_MS;
  return [
    { turn: () => payColleague(options), everyMs },
    { turn: () => move(options), everyMs },
    { turn: () => schedule(options, bills), everyMs },
    { turn: () => order(options, bills), everyMs: ADMIN_MS * 5 },
    { turn: () => payBill(options, bills), everyMs: ADMIN_MS },
    { turn: () => fundAndReverse(options), everyMs: ADMIN_MS * 5 },
    { turn: () => payOwnAmounts(options), everyMs: options.payrollEveryMs },
  ];
}

async function payColleague({ client, journal, random, company }: LoadOptions): Promise<void> {
  const payees = company.payees as [(typeof company.payees)[number]];
  const [from, to] = [random.pick(payees), random.pick(payees)];
  if (from === to) return;
  const { id } = await client.send<RouteReply<'payPerson'>>({
    cookie: from.cookie,
    path: '/api/payments/people',
    body: { walletId: from.wallet.id, recipientId: to.by.actor.id, amount: AMOUNT, note: 'Tea' },
    mayMeet: ['payment_daily_limit'],
  });
  note(journal, 'person_payment.made', { id });
  journal.payments.add(id);
}

async function move({ client, journal, random, company, further }: LoadOptions): Promise<void> {
  const who = random.pick(company.payees as [(typeof company.payees)[number]]);
  const toWalletId = further.get(who.by.actor.id)?.savingsId;
  const { id } = await client.send<RouteReply<'moveMoney'>>({
    cookie: who.cookie,
    path: '/api/wallets/moves',
    body: { fromWalletId: who.wallet.id, toWalletId, amount: AMOUNT },
  });
  note(journal, 'wallet_move.made', { id });
  journal.moves.add(id);
}

async function schedule(
  { client, journal, random, company, further }: LoadOptions,
  bills: string[],
): Promise<void> {
  const who = random.pick(company.payees as [(typeof company.payees)[number]]);
  const { id } = await client.send<Bill>({
    cookie: who.cookie,
    path: '/api/bills',
    body: {
      walletId: who.wallet.id,
      payeeId: further.get(who.by.actor.id)?.payeeId,
      amount: AMOUNT,
      payOn: dayIn(TIME_ZONE, new Date()),
      memo: randomUUID(),
    },
    mayMeet: ['bill_daily_limit', ...MARKED_PAYEE],
  });
  note(journal, 'bill.scheduled', { id, held: MINOR });
  journal.bills.set(id, 'scheduled');
  if (!random.chance(0.3)) {
    bills.push(id);
    return;
  }
  await client.send<Bill>({
    cookie: who.cookie,
    path: `/api/bills/${id}/cancel`,
    // The server took it meanwhile.
    mayMeet: ['bill_wrong_status'],
  });
  note(journal, 'bill.cancelled', { id, held: -MINOR });
  journal.bills.set(id, 'cancelled');
}

/** An employee: has a bill paid every week, whose first one is scheduled immediately, and stops it. */
async function order(
  { client, journal, random, company, further }: LoadOptions,
  bills: string[],
): Promise<void> {
  const who = random.pick(company.payees as [(typeof company.payees)[number]]);
  const { cookie } = who;
  const memo = randomUUID();
  const { id } = await client.send<StandingBill>({
    cookie,
    path: '/api/standing-bills',
    body: {
      walletId: who.wallet.id,
      payeeId: further.get(who.by.actor.id)?.payeeId,
      amount: AMOUNT,
      memo,
      frequency: 'weekly',
      startsOn: dayIn(TIME_ZONE, new Date()),
    },
    mayMeet: ['bill_daily_limit', ...MARKED_PAYEE],
  });
  note(journal, 'standing_bill.created', { id });
  journal.standing.add(id);
  const { items } = await client.send<RouteReply<'listScheduledBills'>>({
    cookie,
    method: 'GET',
    path: '/api/bills/scheduled',
  });
  const first = items.find((bill) => bill.memo === memo);
  if (first === undefined) journal.faults.push(`standing bill ${id} has no first bill`);
  else {
    note(journal, 'bill.scheduled', { id: first.id, held: MINOR });
    journal.bills.set(first.id, 'scheduled');
    bills.push(first.id);
  }
  await client.send<StandingBill>({ cookie, path: `/api/standing-bills/${id}/stop` });
  note(journal, 'standing_bill.stopped', { id });
}

/** An admin: pays or stops a bill that the server has taken. */
async function payBill(options: LoadOptions, bills: string[]): Promise<void> {
  const { client, journal, random, company } = options;
  const id = bills.shift();
  if (id === undefined) return;
  const { cookie } = company.admin;
  const path = `/api/admin/bills/${id}`;
  const isStopped = random.chance(0.2);
  const act = isStopped ? 'stop' : 'send';
  const request = {
    cookie,
    path: `${path}/${act}`,
    ...(isStopped && { body: { reason: REASON } }),
  };
  try {
    // Not taken yet, or in a payout file by now.
    const mayMeet = ['bill_wrong_status', 'payout_in_file', ...MARKED_PAYEE];
    await client.send<AdminBill>({ ...request, mayMeet });
  } catch (error) {
    bills.push(id);
    throw error;
  }
  note(journal, isStopped ? 'bill.stopped' : 'bill.sent', { id, held: isStopped ? -MINOR : 0n });
  journal.bills.set(id, isStopped ? 'rejected' : 'sent');
  if (isStopped) return;
  await client.send<AdminBill>({ cookie, path: `${path}/complete`, body: {} });
  note(journal, 'bill.paid', { id, posted: -MINOR, held: -MINOR });
  journal.bills.set(id, 'paid');
  if (random.chance(0.15)) await returnBill(options, id, bills);
}

/** An admin: funds one employee, and takes a part of it back. */
async function fundAndReverse({ client, journal, random, company }: LoadOptions): Promise<void> {
  const { cookie } = company.admin;
  const who = random.pick(company.payees as [(typeof company.payees)[number]]);
  const path = `/api/admin/funding/employees/${who.by.actor.id}`;
  const { paid } = await client.send<RouteReply<'adminGetFundingAccounts'>>({
    cookie,
    method: 'GET',
    path,
  });
  const { id } = await client.send<Funding>({
    cookie,
    path,
    body: {
      type: 'bonus',
      walletId: who.wallet.id,
      amount: AMOUNT,
      description: '',
      ...(paid !== null && { alreadyPaidHash: paid.hash }),
    },
    // A payroll paid them after the account was read.
    mayMeet: ['already_paid'],
  });
  note(journal, 'payroll.sent', { id, posted: MINOR });
  journal.batches.set(id, { employees: 1 });
  const line = await lineOf(client, cookie, id);
  if (line === undefined || !random.chance(0.5)) return;
  await client.send({
    cookie,
    path: `/api/admin/payroll/lines/${line.id}/reverse`,
    body: {
      amount: { ...AMOUNT, minor: '40' },
      left: line.amount,
      reason: 'paid_twice',
      message: 'This was paid before.',
    },
  });
  note(journal, 'payroll_line.reduced', { id: line.id, posted: -40n });
  journal.reduced.add(id);
}

async function lineOf(client: Client, cookie: string, batchId: string) {
  const path = `/api/admin/payroll/batches/${batchId}/lines`;
  const { items } = await client.send<RouteReply<'adminListPayrollLines'>>({
    cookie,
    method: 'GET',
    path,
  });
  return items[0];
}

/** An admin: pays each of the people who request money their own amount, from a draft. */
async function payOwnAmounts({ client, journal, random, company }: LoadOptions): Promise<void> {
  const { cookie } = company.admin;
  const drafts = '/api/admin/payroll/drafts';
  const { id, version } = await client.send<PayrollDraft>({
    cookie,
    path: drafts,
    hasKey: false,
    body: {
      walletType: 'salary',
      department: 'all',
      payOn: null,
      description: 'Own amounts',
      hasOwnAmounts: true,
      amount: null,
    },
  });
  const people = company.payees.map(({ by }) => ({
    id: by.actor.id,
    amount: { minor: String(random.int(1, 900)), currency: 'USD' },
  }));
  await client.send({
    cookie,
    method: 'PUT',
    path: `${drafts}/${id}`,
    body: { version, people },
    hasKey: false,
    // A save without a reply is not repeated by a key: the second one finds its own version.
    mayMeet: ['payroll_draft_changed'],
  });
  const preview = await client.send<PayrollPreview>({
    cookie,
    path: `${drafts}/${id}/preview`,
    hasKey: false,
  });
  const batch = await sendPreviewed(client, cookie, preview, {
    path: `${drafts}/${id}/send`,
    order: {},
  });
  const posted = people.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
  note(journal, 'payroll.sent', { id: batch.id, posted });
  journal.batches.set(batch.id, batch);
}
