import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EmployeePage } from '#contract/api.ts';
import type { Problem } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { closeWallet, listWallets, openWallet } from '#server/modules/wallets/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  withdrawalIn,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { payOneWallet } from '#test/factories/payroll.ts';
import { createAdmin } from '#test/factories/people.ts';
import { startAndBlock } from '#test/start-and-block.ts';

let purser: TestApp;
let cookie: string;
let admin: Awaited<ReturnType<typeof createAdmin>>;
let maya: Payee;
let irs: { id: string; ledgerAccountId: string };

beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  cookie = await purser.cookieOf(admin);
  await offerDeposits(purser.db, purser.services);
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});
beforeEach(async () => {
  maya = await createPayee(purser.db, purser.services, { admin: admin.by, fundedMinor: 0n });
  irs = await withTx(purser.db, (tx) =>
    openWallet(tx, purser.services, { userId: maya.by.actor.id, type: 'irs' }),
  );
});

const person = () => `/api/admin/employees/${maya.by.actor.id}`;
function ask(path: string, body: object = { type: 'irs' }) {
  return purser.ask('POST', path, { cookie, key: randomUUID(), body });
}
const close = (body?: object) => ask(`${person()}/wallets/close`, body);
const fund = () =>
  ask(`/api/admin/funding/employees/${maya.by.actor.id}`, {
    type: 'bonus',
    walletId: irs.id,
    amount: money(50_000n, 'USD'),
    description: 'A bonus',
  });
async function codeOf(response: Promise<Response>): Promise<string> {
  return ((await (await response).json()) as Problem).code;
}
/** The code with which closing the account is refused, as the page of the person says it beforehand. */
async function refusedAs(): Promise<string> {
  const said = await refusal();
  const { code, title } = (await (await close()).json()) as Problem;
  expect(said).toBe(title);
  return code;
}
async function refusal(): Promise<string | null | undefined> {
  const page = await purser.ask('GET', person(), { cookie });
  const { wallets } = (await page.json()) as EmployeePage;
  return wallets.find(({ type }) => type === 'irs')?.refusal;
}
const types = async () =>
  (await listWallets(purser.db, maya.by.actor.id)).accounts.map(({ type }) => type);
async function balance(): Promise<bigint | undefined> {
  const { ledgerAccountId } = irs;
  return (await accountBalances(purser.db, [ledgerAccountId])).get(ledgerAccountId)?.postedMinor;
}

describe('closing an account', () => {
  it('takes it away, for who owns it and for whoever pays; opened again it is the same', async () => {
    expect((await close()).status).toBe(200);
    expect(await types()).toEqual(['salary']);
    expect(await codeOf(fund())).toBe('funding_wallet_gone');
    expect(await codeOf(close())).toBe('wallet_not_found');
    const opened = await ask(`${person()}/wallets`);
    expect(opened.status).toBe(201);
    expect(await opened.json()).toMatchObject({ id: irs.id });
    expect(await types()).toEqual(['salary', 'irs']);
    expect((await fund()).status).toBe(201);
    const { rows } = await sql<{ action: string; actorId: string }>`
      SELECT action, actor_id FROM audit_event
       WHERE subject_id = ${irs.id} AND actor_id IS NOT NULL ORDER BY id`.execute(purser.db);
    expect(rows).toEqual([
      { action: 'wallet.closed', actorId: admin.id },
      { action: 'wallet.reopened', actorId: admin.id },
    ]);
  });

  it('is refused for the salary wallet, for an unknown person, and for one that is not there', async () => {
    expect(await codeOf(close({ type: 'salary' }))).toBe('invalid_request');
    expect(await codeOf(close({ type: 'savings' }))).toBe('wallet_not_found');
    expect(await codeOf(ask(`/api/admin/employees/${randomUUID()}/wallets/close`))).toBe(
      'person_not_found',
    );
    expect(await codeOf(ask(`/api/admin/employees/${admin.id}/wallets/close`))).toBe(
      'person_not_found',
    );
  });

  it('is refused with money in it, and while a deposit waits', async () => {
    await withTx(purser.db, (tx) =>
      requestDeposit(tx, purser.services, maya.by, {
        walletId: irs.id,
        method: 'ach',
        amount: money(1_000n, 'USD'),
      }),
    );
    expect(await refusedAs()).toBe('wallet_in_use');
    await fund();
    expect(await refusedAs()).toBe('wallet_not_empty');
    expect(await types()).toEqual(['salary', 'irs']);
  });

  it('is refused while a payroll is about to pay into it, and not after it was stopped or declined', async () => {
    const { rows } = await sql<{ id: string }>`
      INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
        amount_minor, currency, status, preview_hash, payable_count, skipped_count, total_minor,
        created_by, post_after)
      VALUES (${randomUUID()}, '9001', 'IRS', 'A month', 'Pay', 'irs', 'all', 100, 'USD', 'pending', sha256(''), 1, 0,
        100, ${admin.id}, now() + interval '1 day')
      RETURNING id`.execute(purser.db);
    await sql`
      INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
      VALUES (${rows[0]?.id}, 1, ${maya.by.actor.id}, ${irs.id}, 100, 'draft')`.execute(purser.db);
    expect(await refusedAs()).toBe('wallet_in_use');
    await sql`UPDATE payroll_batch SET status = 'draft' WHERE id = ${rows[0]?.id}`.execute(
      purser.db,
    );
    expect(await refusal()).toBeNull();
    expect((await close()).status).toBe(200);
  });

  it('is refused while a standing bill is paid from it', async () => {
    // The next one is due so late that nothing is held for it yet.
    const payeeId = await outsidePayee(purser.db, purser.services, maya.by);
    await sql`
      INSERT INTO standing_bill (id, user_id, wallet_id, payee_id, amount_minor, currency, memo,
        frequency, starts_on, next_on, created_at, updated_at)
      VALUES (${randomUUID()}, ${maya.by.actor.id}, ${irs.id}, ${payeeId}, 100, 'USD', 'Fiber',
        'monthly', '2099-01-01', '2099-01-01', now(), now())`.execute(purser.db);
    expect(await refusedAs()).toBe('wallet_in_use');
  });

  it('waits for a payroll that is paying into it, and is then refused', async () => {
    const closing = await withTx(purser.db, async (tx) => {
      const userId = maya.by.actor.id;
      // As payroll claims its lines.
      await sql`SELECT FROM app_user WHERE id = ${userId} FOR KEY SHARE`.execute(tx);
      await payOneWallet(tx, purser.services, {
        userId,
        wallet: irs,
        walletType: 'irs',
        amountMinor: 700n,
        createdBy: admin.id,
      });
      return startAndBlock(purser.db, () => codeOf(close()));
    });
    expect(await closing.answer).toBe('wallet_not_empty');
    expect(await balance()).toBe(700n);
  });

  it('has a concurrent payment wait, which is then refused', async () => {
    const funding = await withTx(purser.db, async (tx) => {
      await closeWallet(tx, purser.services, admin.by, { userId: maya.by.actor.id, type: 'irs' });
      return startAndBlock(purser.db, () => codeOf(fund()));
    });
    expect(await funding.answer).toBe('funding_wallet_gone');
    expect(await balance()).toBe(0n);
  });

  it.each([1, 2, 3, 4])(
    'concurrent with a payment into it leaves no money in a closed one (%i)',
    async () => {
      const [closed, funded] = await Promise.all([close(), fund()]);
      const isClosed = closed.status === 200;
      expect(funded.status === 201).toBe(!isClosed);
      expect(await types()).toEqual(isClosed ? ['salary'] : ['salary', 'irs']);
      expect(await balance()).toBe(isClosed ? 0n : 50_000n);
    },
  );

  it('ends when money comes back to it', async () => {
    const wallet = await fundedWallet(purser.db, purser.services, maya.by, 40_000n, 'irs');
    expect(wallet.id).toBe(irs.id);
    const { id } = await withdrawalIn(purser.db, purser.services, {
      payee: maya,
      admin: admin.by,
      status: 'completed',
      input: { walletId: irs.id },
    });
    expect((await close()).status).toBe(200);
    await withTx(purser.db, (tx) =>
      withdrawalActs.return(tx, purser.services, admin.by, { id, reason: 'The account is closed' }),
    );
    expect(await types()).toEqual(['salary', 'irs']);
    expect(await balance()).toBe(40_000n);
  });
});
