import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funding, FundingAccounts, PayrollPreview, RouteArguments } from '#contract/api.ts';
import type { Problem } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { openOwner } from '#test/unguarded.ts';

type Order = RouteArguments<'adminFundEmployee'>['body'];

let purser: TestApp;
let cookie: string;
let grace: { id: string; walletId: string; accountId: string };

beforeAll(async () => {
  purser = await openTestApp();
  const admin = await createAdmin(purser.db, purser.services, { firstName: 'Renee' });
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());
beforeEach(async () => {
  const { id } = await createEmployee(purser.db, purser.services, {
    firstName: 'Grace',
    lastName: 'Achieng',
    department: 'customer-support',
  });
  const wallet = await withTx(purser.db, (tx) =>
    openWallet(tx, purser.services, { userId: id, type: 'salary' }),
  );
  grace = { id, walletId: wallet.id, accountId: wallet.ledgerAccountId };
});

function fund(changes: Partial<Order> = {}, { id = grace.id, key = randomUUID() } = {}) {
  const body = {
    type: 'bonus',
    walletId: grace.walletId,
    amount: money(50_000n, 'USD'),
    description: 'Fourth quarter support bonus',
    ...changes,
  };
  return purser.ask('POST', `/api/admin/funding/employees/${id}`, { cookie, key, body });
}

async function seenHash(): Promise<string | undefined> {
  const { paid } = (await read(`employees/${grace.id}`)) as FundingAccounts;
  return paid?.hash;
}

/** Funds with the confirmation of what was already paid. */
async function fundAgain(changes: Partial<Order> = {}): Promise<Response> {
  return fund({ ...changes, alreadyPaidHash: await seenHash() });
}

async function codeOf(response: Promise<Response>): Promise<string> {
  return ((await (await response).json()) as Problem).code;
}

async function balance(): Promise<bigint | undefined> {
  return (await accountBalances(purser.db, [grace.accountId])).get(grace.accountId)?.postedMinor;
}

/** As the owner of the database sets it: what the company's funding may not fall below. */
async function limitFunding(minor: RawBuilder<unknown>): Promise<void> {
  const owner = openOwner(purser.ownerUrl);
  await withTx(owner.db, async (tx) => {
    await sql`ALTER TABLE ledger_account DISABLE TRIGGER USER`.execute(tx);
    await sql`UPDATE ledger_account SET min_available = ${minor}
               WHERE code = 'payroll_funding'`.execute(tx);
    await sql`ALTER TABLE ledger_account ENABLE TRIGGER USER`.execute(tx);
  });
  await owner.close();
}

async function read(path: string): Promise<unknown> {
  return (await purser.ask('GET', `/api/admin/funding/${path}`, { cookie })).json();
}

describe('funding one employee', () => {
  it('pays immediately, by a batch of one line with a reference of its own', async () => {
    const response = await fund();
    expect(response.status).toBe(201);
    const funding = (await response.json()) as Funding;
    expect(funding).toMatchObject({
      type: 'bonus',
      status: 'completed',
      amount: money(50_000n, 'USD'),
      employee: { name: 'Grace Achieng' },
      wallet: { id: grace.walletId, available: money(50_000n, 'USD') },
      description: 'Fourth quarter support bonus',
      arrivedAt: expect.any(String),
    });
    expect(funding.reference).toMatch(/^IF-\d{4}$/);
    const { rows } = await sql`
      SELECT posting.kind, posting.reference, posting.description, line.status, batch.status AS batch,
             batch.funding_type, notification.type, notification.title, notification.message
        FROM payroll_batch AS batch JOIN payroll_line AS line ON line.batch_id = batch.id
        JOIN ledger_transaction AS posting ON posting.id = line.ledger_transaction_id
        JOIN notification ON notification.id = line.id
       WHERE batch.id = ${funding.id}`.execute(purser.db);
    expect(rows).toEqual([
      {
        kind: 'funding',
        reference: funding.reference,
        description: 'Fourth quarter support bonus',
        status: 'processed',
        batch: 'completed',
        fundingType: 'bonus',
        type: 'payroll',
        title: 'Payroll received',
        message: '$500.00 arrived in your Salary Wallet: Bonus, Fourth quarter support bonus',
      },
    ]);
    expect(await withTx(purser.db, (tx) => runChecks(tx, businessChecks))).toEqual([]);
  });

  it('names the funding type where nothing was written', async () => {
    const funding = (await (
      await fund({ type: 'reimbursement', description: '  ' })
    ).json()) as Funding;
    expect(funding.description).toBe('Reimbursement');
  });

  it('has one effect under one key, however often it is sent', async () => {
    const key = randomUUID();
    const replies = await Promise.all([fund({}, { key }), fund({}, { key }), fund({}, { key })]);
    const bodies = await Promise.all(replies.map((reply) => reply.json() as Promise<Funding>));
    expect(new Set(bodies.map(({ reference }) => reference)).size).toBe(1);
    expect(await balance()).toBe(50_000n);
  });

  it.each([
    [
      'more than a payroll may pay to one employee',
      { amount: money(5_000_001n, 'USD') },
      'payroll_line_limit',
    ],
    ['another currency', { amount: money(1n, 'EUR') }, 'amount_invalid'],
    ['no amount', { amount: money(0n, 'USD') }, 'invalid_request'],
    ['a wallet that does not exist', { walletId: randomUUID() }, 'funding_wallet_gone'],
    ['a description that cannot be read', { description: 'a\u202eb' }, 'invalid_request'],
  ] satisfies [string, Partial<Order>, string][])('refuses %s', async (_what, changes, code) => {
    expect(await codeOf(fund(changes))).toBe(code);
    expect(await balance()).toBe(0n);
  });

  it('refuses a wallet of another employee, and one closed in between', async () => {
    const { id } = await createEmployee(purser.db, purser.services);
    expect(await codeOf(fund({}, { id }))).toBe('funding_wallet_gone');
    await sql`UPDATE wallet SET closed_at = now() WHERE id = ${grace.walletId}`.execute(purser.db);
    expect(await codeOf(fund())).toBe('funding_wallet_gone');
    expect(await balance()).toBe(0n);
  });

  it.each([
    ['deactivated', sql`deactivated_at = now()`],
    ['only an applicant', sql`accepted_at = NULL`],
    ['an admin', sql`role = 'admin'`],
  ])('refuses who is %s', async (_who, change) => {
    await sql`UPDATE app_user SET ${change} WHERE id = ${grace.id}`.execute(purser.db);
    expect(await codeOf(fund())).toBe('person_not_found');
    expect(await balance()).toBe(0n);
  });

  it('takes nothing when payroll funding cannot pay', async () => {
    await (await fund()).json();
    await limitFunding(sql`posted`);
    const before = await sql`SELECT count(*) FROM payroll_batch`.execute(purser.db);
    expect(await codeOf(fundAgain())).toBe('funding_refused');
    expect(await sql`SELECT count(*) FROM payroll_batch`.execute(purser.db)).toEqual(before);
    expect(await balance()).toBe(50_000n);
    await limitFunding(sql`NULL`);
  });

  it('asks before the same pay period pays an employee again, by whichever way', async () => {
    expect(await read(`employees/${grace.id}`)).toMatchObject({ paid: null });
    await (await fund()).json();
    expect(await read(`employees/${grace.id}`)).toMatchObject({
      paid: {
        total: money(50_000n, 'USD'),
        payments: 1,
        newest: { type: 'bonus', at: expect.any(String) },
      },
    });
    expect(await codeOf(fund())).toBe('already_paid');
    expect(await balance()).toBe(50_000n);
    expect((await fundAgain()).status).toBe(201);
    // Two dialogs that saw the same: the second one pays nobody.
    const seen = await seenHash();
    const both = await Promise.all([1, 2].map(() => fund({ alreadyPaidHash: seen })));
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(both.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(await balance()).toBe(150_000n);
  });

  it('asks about a payroll that follows a funding, and says what was paid', async () => {
    const order = {
      walletType: 'salary',
      department: 'customer-support',
      amount: money(100n, 'USD'),
      description: 'Pay',
    };
    const preview = await purser.ask('POST', '/api/admin/payroll/preview', { cookie, body: order });
    const { hash } = (await preview.json()) as { hash: string };
    await (await fund()).json();
    const send = (seen: object) =>
      purser.ask('POST', '/api/admin/payroll/batches', {
        cookie,
        body: { ...order, previewHash: hash, ...seen },
        key: randomUUID(),
      });
    expect(await codeOf(send({}))).toBe('already_paid');
    const again = await purser.ask('POST', '/api/admin/payroll/preview', { cookie, body: order });
    const { alreadyPaid, payable } = (await again.json()) as PayrollPreview;
    expect(payable.find(({ employee }) => employee.id === grace.id)?.paid).toMatchObject({
      total: money(50_000n, 'USD'),
      newest: { type: 'bonus' },
    });
    expect((await send({ alreadyPaidHash: alreadyPaid?.hash })).status).toBe(201);
  });
});

describe('people who can be funded', () => {
  it('is listed with the first account and the last payment', async () => {
    await fund({ type: 'custom', amount: money(100n, 'USD') });
    await fundAgain({ type: 'emergency', amount: money(75_000n, 'USD') });
    const { items } = (await read('employees?search=Achieng')) as {
      items: { id: string }[];
    };
    expect(items.find(({ id }) => id === grace.id)).toMatchObject({
      name: 'Grace Achieng',
      department: 'customer-support',
      account: { name: 'Salary Wallet', available: money(75_100n, 'USD') },
      lastPaid: { type: 'emergency', amount: money(75_000n, 'USD') },
    });
  });

  it('is nobody who applied or left', async () => {
    const count = async () => ((await read('employees/count')) as { total: number }).total;
    const before = await count();
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${grace.id}`.execute(purser.db);
    expect(await count()).toBe(before - 1);
    expect(
      await codeOf(purser.ask('GET', `/api/admin/funding/employees/${grace.id}`, { cookie })),
    ).toBe('person_not_found');
  });

  it('has open accounts to choose from', async () => {
    expect(await read(`employees/${grace.id}`)).toMatchObject({
      employee: { id: grace.id, name: 'Grace Achieng' },
      wallets: [{ id: grace.walletId, type: 'salary' }],
    });
  });

  it('is summed up: this month’s and all fundings', async () => {
    interface Stats {
      employees: number;
      withAccount: number;
      month: { total: { minor: string }; count: number };
      ever: { total: { minor: string }; count: number };
    }
    const before = (await read('stats')) as Stats;
    await fund({ amount: money(12_345n, 'USD') });
    const after = (await read('stats')) as Stats;
    expect(after.ever.count).toBe(before.ever.count + 1);
    expect(BigInt(after.month.total.minor) - BigInt(before.month.total.minor)).toBe(12_345n);
    expect(after.withAccount).toBe(before.withAccount);
  });
});

it('is taken back with its batch once; the second time nothing is written, and no screen reads again', async () => {
  const { id } = (await (await fund()).json()) as Funding;
  const reverse = async () => {
    const path = `/api/admin/payroll/batches/${id}/reverse`;
    const body = { after: 0, reason: 'paid_twice', message: 'Paid twice.' };
    const reply = await purser.ask('POST', path, { cookie, key: randomUUID(), body });
    return (await reply.json()) as { count: number };
  };
  expect(await reverse()).toMatchObject({ count: 1, kept: [] });
  expect(await reverse()).toMatchObject({ count: 0, kept: [] });
  expect(await balance()).toBe(0n);
});
