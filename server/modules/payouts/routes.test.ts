import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayoutFile, PayoutReversal, RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { createPayee, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { returnsFile, THEIR_BANK } from '#test/factories/returns-file.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';

let purser: TestApp;
let cookie: string;
let admin: CommandContext;
let withdrawalId: string;
let another: { id: string; reference: string };
let approve: () => Promise<unknown>;
let keys = 0;

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  admin = await createPersonBy(db, { role: 'admin' });
  cookie = await purser.cookieOf(admin.actor, { isConfirmed: true });
  await db
    .updateTable('companySettings')
    .set({
      payoutCoolingHours: 0,
      payoutFormat: 'nacha',
      payoutBankName: 'Northgate',
      payoutRoutingNumber: '084207311',
      payoutAccountNumber: '00964410',
      payoutCompanyId: '1912345678',
    })
    .execute();
  const payee = await createPayee(db, services, { admin });
  withdrawalId = (await withdrawalIn(db, services, { payee, admin, status: 'approved' })).id;
  const second = await createPayee(db, services, { admin });
  another = await withdrawalIn(db, services, { payee: second, admin, status: 'pending' });
  approve = () =>
    withTx(db, (tx) => withdrawalActs.approve(tx, services, admin, { id: another.id }));
});
afterAll(() => purser.close());

async function ask<Reply>(
  method: string,
  path: string,
  body?: unknown,
  area = 'payouts',
): Promise<Reply> {
  keys += 1;
  const request = { cookie, key: `payout-${keys}`, ...(body !== undefined && { body }) };
  const response = await purser.ask(method, `/api/admin/${area}${path}`, request);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Reply;
}

describe('a payout file over HTTP', () => {
  it('is made, given out twice, sent and settled', async () => {
    const before = await ask<RouteReply<'adminGetPayouts'>>('GET', '');
    expect(before).toMatchObject({ hasFiles: true, bankLast4: '4410', files: [] });
    expect(before.ready.map(({ id }) => id)).toEqual([withdrawalId]);
    const make = () => ask<PayoutFile>('POST', '', { withdrawalIds: [withdrawalId], billIds: [] });
    const called = await make();
    await ask('POST', `/${called.id}/cancel`);
    const { id, number } = await make();
    const first = await ask<{ content: string }>('POST', `/${id}/download`);
    expect(first.content).toMatch(/^101 /);
    const reason = 'The copy was lost';
    expect(await ask('POST', `/${id}/download-again`, { reason })).toMatchObject({
      content: first.content,
    });
    await ask('POST', `/${id}/send`);
    await ask('POST', `/${id}/settle`, { bankReference: 'NG-1' });
    const file = await ask<RouteReply<'adminGetPayoutFile'>>('GET', `/${number}`);
    expect(file).toMatchObject({ status: 'settled', bankReference: 'NG-1', acts: [] });
    expect(file.entries).toMatchObject([{ id: withdrawalId, status: 'completed' }]);
    expect(file.history.map(({ status }) => status)).toEqual([
      'prepared',
      'downloaded',
      'sent',
      'settled',
    ]);
    const { itemId = '' } = file.entries[0] ?? {};
    const onReversal = <Reply>(path: string, body?: unknown) =>
      ask<Reply>('POST', path, body, 'payout-reversals');
    const prepare = () => onReversal<PayoutReversal>('', { itemId, reason: 'amount' });
    const cancelled = await prepare();
    await onReversal(`/${cancelled.id}/cancel`);
    const reversal = await prepare();
    const path = `/api/admin/payout-reversals/${reversal.id}/download`;
    const download = () => purser.ask('POST', path, { cookie, key: 'reversal-once' });
    const { content } = (await (await download()).json()) as { content: string };
    expect(content).toContain('REVERSAL');
    // Its reply was lost: the same decision, of which one thing is recorded and the owner is notified once.
    const again = await download();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.json()).toMatchObject({ content, reversal: { status: 'downloaded' } });
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_event WHERE subject_id = ${reversal.id} ORDER BY id`.execute(
      purser.db,
    );
    expect(rows.map(({ action }) => action.replace('payout_reversal.', ''))).toEqual([
      'asked',
      'downloaded',
      'announced',
    ]);
    const { rows: kept } = await sql`
      SELECT reply FROM idempotency_key WHERE key = 'reversal-once'`.execute(purser.db);
    expect(kept).toEqual([{ reply: null }]);
    expect(await onReversal(`/${reversal.id}/send`)).toMatchObject({ status: 'sent' });
    expect(await (await download()).json()).toMatchObject({
      code: 'payout_reversal_wrong_status',
    });
  });
});

describe('an export of payouts', () => {
  const linesOf = async (path: string) => {
    const response = await purser.ask('GET', `/api/admin/payouts${path}`, { cookie });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.text()).trimEnd().split('\r\n');
  };

  it('has what is ready and what is in a file, and no text that a spreadsheet runs', async () => {
    const { db, services } = purser;
    const payee = await createPayee(db, services, {
      admin,
      firstName: '=HYPERLINK',
      lastName: 'A',
    });
    const { id, reference } = await withdrawalIn(db, services, {
      payee,
      admin,
      status: 'approved',
    });
    const [head, ...ready] = await linesOf('/export?search=hyperlink');
    expect(head).toBe(
      'Effective,To,Pay to,For,Employee,Employee ID,To account,Reference,Since,Since (UTC),Amount',
    );
    expect(ready).toHaveLength(1);
    expect(ready[0]).toContain(`,People,'=HYPERLINK A,Withdrawal,'=HYPERLINK A,`);
    expect(ready[0]).toMatch(new RegExp(`,${reference},.*,400\\.00$`));
    expect(await linesOf('/export?search=hyperlink&payees=businesses')).toHaveLength(1);

    const file = await ask<PayoutFile>('POST', '', { withdrawalIds: [id], billIds: [] });
    expect(await linesOf('/export?search=hyperlink')).toHaveLength(1);
    const [columns, ...entries] = await linesOf(`/${file.id}/export`);
    expect(columns).toMatch(/^Batch,Effective,To,.*,Reference,Trace number,Status,Amount$/);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatch(/^1,.*,'=HYPERLINK A,.*,approved,400\.00$/);
    await ask('POST', `/${file.id}/cancel`);
  });
});

describe('a repeated request about a payout file', () => {
  const repeat = (path: string, key: string, body?: unknown) =>
    purser.ask('POST', `/api/admin/payouts${path}`, {
      cookie,
      key,
      ...(body !== undefined && { body }),
    });
  const actsOn = async (id: string) => {
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_event WHERE subject_id = ${id} ORDER BY id`.execute(purser.db);
    return rows.map(({ action }) => action.replace('payout_file.', ''));
  };

  it('is one decision, gives out the same file, and stores none of it', async () => {
    const { db, services } = purser;
    const payee = await createPayee(db, services, { admin });
    const one = await withdrawalIn(db, services, { payee, admin, status: 'approved' });
    const order = { withdrawalIds: [one.id], billIds: [] };
    const { id } = await ask<PayoutFile>('POST', '', order);
    const first = await repeat(`/${id}/download`, 'download-once');
    const { content } = (await first.json()) as { content: string };
    const second = await repeat(`/${id}/download`, 'download-once');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await second.json()).toMatchObject({ content, file: { status: 'downloaded' } });
    const reason = { reason: 'The copy was lost' };
    for (const key of ['again-once-more', 'again-once-more']) {
      const again = await repeat(`/${id}/download-again`, key, reason);
      expect(await again.json()).toMatchObject({ content });
    }
    const { rows } = await sql<{ reply: unknown }>`
      SELECT reply FROM idempotency_key WHERE key IN ('download-once', 'again-once-more')`.execute(
      purser.db,
    );
    expect(rows).toEqual([{ reply: null }, { reply: null }]);

    for (const key of ['cancel-once', 'cancel-once']) {
      const cancelled = await repeat(`/${id}/cancel`, key);
      expect(await cancelled.json()).toMatchObject({ status: 'cancelled' });
    }
    expect(await actsOn(id)).toEqual(['made', 'downloaded', 'downloaded_again', 'cancelled']);
    // The file is no longer what the key was about.
    const late = await repeat(`/${id}/download`, 'download-once');
    expect(await late.json()).toMatchObject({ code: 'payout_file_wrong_status' });
  });
});

const upload = async (path: string, text: string) =>
  purser.app.request(`/api/admin/returns${path}`, {
    method: 'POST',
    headers: { cookie, origin: TEST_ORIGIN, 'content-type': 'text/csv' },
    body: text,
  });

describe('a returns file over HTTP', () => {
  const returns = <Reply>(method: string, path: string, body?: unknown) =>
    ask<Reply>(method, path, body, 'returns');

  it('is checked, booked once, and its open entries are decided', async () => {
    await approve();
    const { id, reference } = another;
    const order = { withdrawalIds: [id], billIds: [] };
    const file = await ask<PayoutFile>('POST', '', order);
    await ask('POST', `/${file.id}/download`);
    await ask('POST', `/${file.id}/send`);
    await ask('POST', `/${file.id}/settle`, {});
    const { entries } = await ask<RouteReply<'adminGetPayoutFile'>>('GET', `/${file.number}`);
    const trace = entries[0]?.traceNumber ?? '';
    const amountMinor = 40_000n;
    const lost = { code: 'R04', amountMinor, reference };
    const text = returnsFile([
      { ...lost, trace: '084207319999990' },
      { ...lost, trace: '084207319999991' },
      { code: 'C02', trace, reference, corrected: THEIR_BANK },
      { code: 'C01', trace, reference, corrected: '4400918' },
    ]).join('\n');
    const checked = await upload('/check', text);
    expect(checked.status).toBe(200);
    const check = (await checked.json()) as RouteReply<'adminCheckReturns'>;
    expect(check).toMatchObject({ refused: null, unknown: 2, proposed: 2 });
    const booking = `?fileName=returns.ach&hash=${check.hash}`;
    expect((await upload(booking, text)).status).toBe(201);
    const again = await upload(booking, text);
    expect(await again.json()).toMatchObject({ code: 'return_file_booked' });

    const read = await returns<RouteReply<'adminGetReturns'>>('GET', '');
    expect(read.files).toMatchObject([{ fileName: 'returns.ach', entryCount: 4, open: 4 }]);
    const [first, second, accepted, declined] = read.entries.map((entry) => entry.id);
    await returns('POST', `/entries/${accepted}/accept`);
    await returns('POST', `/entries/${declined}/decline`);
    await returns('POST', `/entries/${first}/not-ours`);
    const found = await returns<RouteReply<'adminFindReturnedPayments'>>(
      'GET',
      `/entries/${second}/payments`,
    );
    const payment = found.payments.find((one) => one.reference === reference);
    await returns('POST', `/entries/${second}/book`, { itemId: payment?.itemId });
    const after = await returns<RouteReply<'adminGetReturns'>>('GET', `?file=${read.file?.id}`);
    expect(after.entries.map(({ status }) => status)).toEqual([
      'booked',
      'not_ours',
      'accepted',
      'declined',
    ]);
    expect(after.file?.open).toBe(0);
  });
});

describe('a prenote over HTTP', () => {
  it('is sent, and its account is rejected once it comes back', async () => {
    const { db, services } = purser;
    const owner = await createPersonBy(db);
    const { id: bankAccountId } = await pendingBank(db, services, owner);
    const waiting = async () => {
      const shell = await purser.ask('GET', '/api/shell', { cookie });
      return ((await shell.json()) as RouteReply<'getShell'>).waiting?.payouts ?? 0;
    };
    const before = await waiting();
    await db.updateTable('companySettings').set({ bankAccountProof: 'prenote' }).execute();
    expect(await waiting()).toBe(before + 1);
    const order = { withdrawalIds: [], billIds: [], bankAccountIds: [bankAccountId] };
    const { id, number } = await ask<PayoutFile>('POST', '', order);
    await ask('POST', `/${id}/download`);
    await ask('POST', `/${id}/send`);
    const { entries } = await ask<RouteReply<'adminGetPayoutFile'>>('GET', `/${number}`);
    expect(entries).toMatchObject([{ kind: 'prenote', id: bankAccountId, status: 'pending' }]);
    const { traceNumber: trace = '', reference = '' } = entries[0] ?? {};
    const text = returnsFile([{ code: 'R03', trace, reference }]).join('\n');
    const hash = createHash('sha256').update(text).digest('hex');
    expect((await upload(`?fileName=returns.ach&hash=${hash}`, text)).status).toBe(201);
    const account = await ask('GET', `/${bankAccountId}`, undefined, 'bank-accounts');
    expect(account).toMatchObject({ status: 'rejected', prenote: null });
    await ask('POST', `/${id}/settle`, {});
    await db.updateTable('companySettings').set({ bankAccountProof: 'none' }).execute();
  });
});
