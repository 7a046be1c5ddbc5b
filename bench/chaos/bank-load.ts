import { randomUUID } from 'node:crypto';
import type { PayoutFile, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { csvStatement } from '#test/bank-desk.ts';
import { sendUntilDone } from './client.ts';
import { note } from './journal.ts';
import type { LoadOptions } from './load-options.ts';
import { bookReturn, takeBack, WITHDRAWAL_MINOR as MINOR } from './returned-load.ts';

const FEE_MINOR = -150n;
const EVERY_MS = 2_000;
/** Most payments of a file, and lines of a statement besides the bank's fee. */
const MOST_PAYMENTS = 5;
const MOST_LINES = 20;
const TIME_ZONE = 'America/New_York';
const PAYOUTS = '/api/admin/payouts';
const BANK = '/api/admin/company-bank';

/** Work between the company and its bank: payout files, what comes back of them, and statements. */
export function bankWork(options: LoadOptions): { turn: () => Promise<void>; everyMs: number }[] {
  return [
    { turn: () => payByFile(options), everyMs: EVERY_MS },
    { turn: () => importLines(options), everyMs: EVERY_MS * 2 },
  ];
}

/** An admin: pays approved withdrawals by a file of the bank, or cancels the file. One of them may come back. */
async function payByFile(options: LoadOptions): Promise<void> {
  const { client, journal, random, company, desk } = options;
  const { cookie } = company.admin;
  const { ready } = await client.send<RouteReply<'adminGetPayouts'>>({
    cookie,
    method: 'GET',
    path: PAYOUTS,
  });
  // Withdrawals that no other admin of the load goes on with: those that rest as approved.
  const ids = ready.filter(({ kind }) => kind === 'withdrawal').map(({ id }) => id);
  const withdrawalIds = ids.filter((id) => journal.resting.has(id)).slice(0, MOST_PAYMENTS);
  if (withdrawalIds.length === 0) return;
  const file = await client.send<PayoutFile>({
    cookie,
    path: PAYOUTS,
    body: { withdrawalIds },
    mayMeet: ['payout_item_not_ready', 'payout_files_full'],
  });
  const { id, number } = file;
  for (const one of withdrawalIds) journal.resting.delete(one);
  note(journal, 'payout_file.made', { id });
  journal.files.set(id, 'prepared');
  if (random.chance(0.3)) {
    await cancel();
    for (const one of withdrawalIds) journal.resting.add(one);
    return;
  }
  const refusals = ['payout_item_not_ready', 'payout_check_failed', 'hourly_limit'];
  const path = `${PAYOUTS}/${id}`;
  const download = { cookie, path: `${path}/download`, mayMeet: refusals };
  await client.send(download).catch(async (error: unknown) => {
    await cancel();
    throw error;
  });
  took('downloaded');
  await client.send({ cookie, path: `${path}/send` });
  took('sent');
  for (const one of withdrawalIds) {
    move(one, 'processing', { posted: -MINOR, held: -MINOR });
    journal.sent.add(one);
  }
  const { entries } = await client.send<RouteReply<'adminGetPayoutFile'>>({
    cookie,
    method: 'GET',
    path: `${PAYOUTS}/${number}`,
  });
  const entry = random.pick(entries as [(typeof entries)[number]]);
  const settled = () => {
    took('settled');
    for (const one of withdrawalIds) {
      if (journal.withdrawals.get(one)?.status === 'processing') move(one, 'completed');
    }
  };
  const sum = BigInt(withdrawalIds.length) * MINOR;
  desk.coming.push({ text: `ACH SETTLEMENT ${number}`, minor: -sum, matched: settled });
  if (random.chance(0.4)) await bookReturn(options, entry);
  else if (random.chance(0.5)) await takeBack(options, entry);

  async function cancel(): Promise<void> {
    await client.send({ cookie, path: `${PAYOUTS}/${id}/cancel` });
    took('cancelled');
  }
  function took(status: string): void {
    note(journal, `payout_file.${status}`, { id });
    journal.files.set(id, status);
  }
  function move(
    one: string,
    status: 'processing' | 'completed',
    effect: { posted?: bigint; held?: bigint } = {},
  ): void {
    note(journal, `withdrawal.${status}`, { ...effect, id: one });
    const known = journal.withdrawals.get(one);
    if (known !== undefined) known.status = status;
  }
}

/** An admin: imports what the bank booked. What it names is matched by itself, its fee by hand, and sometimes not for long. */
async function importLines(options: LoadOptions): Promise<void> {
  const { client, journal, random, company, desk } = options;
  const { cookie } = company.admin;
  const fee = { text: `Monthly fee ${randomUUID()}`, minor: FEE_MINOR };
  const named = desk.coming.slice(0, MOST_LINES);
  const rows = [...named, fee];
  const day = dayIn(TIME_ZONE, new Date());
  const written = rows.map(({ text, minor }) => [text, minor] as const);
  const text = csvStatement(desk.closingMinor, written, day);
  const path = `${BANK}/accounts/${desk.accountId}`;
  const mayMeet = ['hourly_limit'];
  const { hash } = await client.send<RouteReply<'adminCheckStatement'>>({
    cookie,
    path: `${path}/statement-check`,
    file: text,
    hasKey: false,
    mayMeet,
  });
  const request = {
    cookie,
    path: `${path}/statements?fileName=a.csv&hash=${hash}`,
    file: text,
    mayMeet,
  };
  await sendUntilDone(client, request, 'conflict');
  desk.coming.splice(0, named.length);
  desk.closingMinor += rows.reduce((sum, { minor }) => sum + minor, 0n);
  note(journal, 'bank_statement.imported');
  for (const row of rows) journal.lines.set(row.text, row.minor);
  const { lines } = await client.send<RouteReply<'adminListBankLines'>>({
    cookie,
    method: 'GET',
    path: `${BANK}/lines`,
  });
  for (const line of named) {
    if (lines.some((open) => open.text === line.text)) {
      journal.faults.push(`the line “${line.text}” was not matched`);
      continue;
    }
    note(journal, 'bank_line.matched');
    line.matched();
  }
  const open = lines.find((line) => line.text === fee.text);
  if (open === undefined) throw new Error(`the line “${fee.text}” is not open`);
  await match();
  if (!random.chance(0.3)) return;
  const unmatch = { cookie, path: `${BANK}/lines/${open.id}/unmatch` };
  await sendUntilDone(client, unmatch, 'bank_line_unmatched');
  note(journal, 'bank_line.unmatched', { id: open.id });
  await match();

  async function match(): Promise<void> {
    const items = [{ kind: 'fee', itemId: null, minor: String(FEE_MINOR) }];
    const asked = { cookie, path: `${BANK}/lines/${open?.id}/match`, body: { items } };
    await sendUntilDone(client, asked, 'bank_line_matched');
    note(journal, 'bank_line.matched', { id: open?.id ?? '' });
  }
}
