import { createHash } from 'node:crypto';
import type { Bill, PayoutReversal, RouteReply, Withdrawal } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import { RefusedError, sendUntilDone } from './client.ts';
import type { Client } from './client.ts';
import { note } from './journal.ts';
import type { LoadOptions } from './load-options.ts';

/** Amount of every withdrawal. */
export const WITHDRAWAL_MINOR = 100n;
/** Refusals while a bank account is marked because a payout came back from it. */
export const MARKED = ['bank_account_not_verified', 'payout_account_returned'];
const TIME_ZONE = 'America/New_York';
const REVERSALS = '/api/admin/payout-reversals';
/** Refusals while a payee is marked because a bill came back from it. */
export const MARKED_PAYEE = ['payee_returned', 'payee_not_confirmed'];

type Entry = RouteReply<'adminGetPayoutFile'>['entries'][number];

/** An employee: sends a withdrawal again that came back. It waits for an admin as any other. */
export async function sendAgain(
  { client, journal, company }: LoadOptions,
  waiting: string[],
): Promise<void> {
  const [former] = journal.back.keys();
  if (former === undefined) return;
  const owner = company.payees.find(({ by }) => by.actor.id === journal.back.get(former));
  if (owner === undefined) return;
  journal.back.delete(former);
  const { id, status } = await client
    .send<Withdrawal>({
      cookie: owner.cookie,
      path: `/api/withdrawals/${former}/resend`,
      body: { bankAccountId: owner.bank.id },
      mayMeet: MARKED,
    })
    .catch((error: unknown) => {
      journal.back.set(former, owner.by.actor.id);
      throw error;
    });
  note(journal, 'withdrawal.resent', { id: former });
  note(journal, 'withdrawal.requested', { id, held: WITHDRAWAL_MINOR });
  journal.withdrawals.set(id, { marker: former, status });
  waiting.push(id);
}

/** An admin: books that the bank sent a bill back. Its payer sends it again, or confirms the payee. */
export async function returnBill(
  { client, journal, random, company }: LoadOptions,
  id: string,
  bills: string[],
): Promise<void> {
  const { payee, employee, amount } = await client.send<RouteReply<'adminGetBill'>>({
    cookie: company.admin.cookie,
    method: 'GET',
    path: `/api/admin/bills/${id}`,
  });
  const minor = BigInt(amount.minor);
  await client.send({
    cookie: company.admin.cookie,
    path: `/api/admin/bills/${id}/return`,
    body: { reason: 'The bank sent it back' },
  });
  note(journal, 'bill.returned', { id, posted: minor });
  journal.bills.set(id, 'returned');
  const payer = company.payees.find(({ by }) => by.actor.id === employee.id);
  if (payer === undefined) return;
  const { cookie } = payer;
  if (random.chance(0.3)) {
    await client.send({ cookie, path: `/api/payees/${payee.id}/confirm`, hasKey: false });
    return;
  }
  const body = { payeeId: payee.id, change: null, payOn: dayIn(TIME_ZONE, new Date()) };
  const mayMeet = ['bill_daily_limit', 'hourly_limit'];
  const again = await client
    .send<Bill>({ cookie, path: `/api/bills/${id}/resend`, body, mayMeet })
    .catch((error: unknown) => {
      if (error instanceof RefusedError) return null;
      throw error;
    });
  if (again === null) {
    await client.send({ cookie, path: `/api/payees/${payee.id}/confirm`, hasKey: false });
    return;
  }
  note(journal, 'bill.resent', { id });
  note(journal, 'bill.scheduled', { id: again.id, held: minor });
  journal.bills.set(again.id, 'scheduled');
  bills.push(again.id);
}

/** An admin: asks the bank to take a payment of a payout file back, or stops doing so. The other bank agrees or refuses. */
export async function takeBack(options: LoadOptions, entry: Entry): Promise<void> {
  const { client, journal, random, company } = options;
  const { cookie } = company.admin;
  const { id } = await client.send<PayoutReversal>({
    cookie,
    path: REVERSALS,
    body: { itemId: entry.itemId, reason: 'duplicate' },
    // The account was handed in again since.
    mayMeet: ['payout_not_reversible', 'payout_files_full'],
  });
  took('asked', 'prepared');
  const path = `${REVERSALS}/${id}`;
  const done = 'payout_reversal_wrong_status';
  const cancel = async () => {
    await sendUntilDone(client, { cookie, path: `${path}/cancel` }, done);
    took('cancelled');
  };
  if (random.chance(0.25)) return cancel();
  const download = { cookie, path: `${path}/download`, mayMeet: ['hourly_limit'] };
  await sendUntilDone(client, download, done).catch(async (error: unknown) => {
    await cancel();
    throw error;
  });
  took('downloaded');
  note(journal, 'payout_reversal.announced', { id });
  await client.send({ cookie, path: `${path}/send` });
  took('sent');
  if (random.chance(0.5)) return bookReturn(options, entry, 'R06');
  if (random.chance(0.4)) return;
  await bookAnswer(options, entry, { code: 'R01', transactionCode: '26' });
  took('refused');

  function took(past: string, status = past): void {
    note(journal, `payout_reversal.${past}`, { id });
    journal.reversals.set(id, status);
  }
}

/** An admin: books the file in which the bank sends one payment of a payout file back. */
export async function bookReturn(options: LoadOptions, entry: Entry, code = 'R03'): Promise<void> {
  const { client, journal, company } = options;
  await bookAnswer(options, entry, { code });
  note(journal, 'withdrawal.returned', { id: entry.id, posted: WITHDRAWAL_MINOR });
  const known = journal.withdrawals.get(entry.id);
  if (known !== undefined) known.status = 'returned';
  journal.back.set(entry.id, entry.employee.id);
  await verifyAgain(client, company, entry.employee.id);
}

/** An admin: books a file of the bank with one entry about a payment. */
async function bookAnswer(
  { client, journal, company, desk }: LoadOptions,
  { traceNumber: trace, reference }: Entry,
  answer: { code: string; transactionCode?: string },
): Promise<void> {
  desk.returned += 1;
  const returned = { ...answer, trace, reference, amountMinor: WITHDRAWAL_MINOR };
  const text = returnsFile([{ ...returned, number: desk.returned }]).join('\n');
  const hash = createHash('sha256').update(text, 'latin1').digest('hex');
  const request = {
    cookie: company.admin.cookie,
    path: `/api/admin/returns?fileName=returns.ach&hash=${hash}`,
    file: text,
  };
  await sendUntilDone(client, { ...request, mayMeet: ['hourly_limit'] }, 'return_file_booked');
  note(journal, 'return_file.booked');
}

/**
 * The owner of an account from which a payout came back submits it again, and an admin verifies it.
 */
export async function verifyAgain(
  client: Client,
  company: MoneyCompany,
  ownerId: string,
): Promise<void> {
  const admin = company.admin.cookie;
  const owner = company.payees.find(({ by }) => by.actor.id === ownerId);
  if (owner === undefined) return;
  const { bankName, accountType, routingNumber, accountHolderName } = owner.bank;
  const path = `/api/bank-accounts/${owner.bank.id}`;
  const body = { bankName, accountType, routingNumber, accountHolderName };
  await client
    .send({
      cookie: owner.cookie,
      method: 'PUT',
      path,
      body,
      mayMeet: ['bank_account_in_use', 'hourly_limit'],
    })
    .catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
    });
  await client.send({
    cookie: admin,
    path: `/api/admin/bank-accounts/${owner.bank.id}/verify`,
    body: { reason: 'The account is known to the company.' },
    mayMeet: ['bank_account_not_pending'],
  });
}
