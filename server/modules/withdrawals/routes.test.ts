import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteArguments, RouteName } from '#contract/api.ts';
import { firstView } from '#contract/list.ts';
import { withdrawalList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CsvFile, RequestContext } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountHandlers } from '#server/modules/bank-accounts/routes.ts';
import { walletHandlers } from '#server/modules/wallets/routes.ts';
import { bankDetails, createPayee, KNOWN } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { withdrawalHandlers } from './routes.ts';

const services = createTestServices();
const handlers = {
  ...walletHandlers(services),
  ...bankAccountHandlers(services),
  ...withdrawalHandlers(services),
};
type Name = keyof typeof handlers;

let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  maya = await createPayee(db, services, { admin });
});
afterAll(() => test.close());

interface AnyHandler {
  kind: string;
  run(where: unknown, context: RequestContext, input: unknown): Promise<unknown>;
}

/** Calls the operation as the HTTP layer does and puts the reply through its schema. */
async function call<N extends Name & RouteName>(
  name: N,
  by: CommandContext,
  input: RouteArguments<N>,
): Promise<{ id?: string }> {
  const handler = handlers[name] as unknown as AnyHandler;
  const origin = { requestId: 'test', ipAddress: null, userAgent: null };
  const context = { actor: by.actor, origin, headers: new Headers() };
  const reply =
    handler.kind === 'command'
      ? await withTx(db, (tx) => handler.run(tx, context, input))
      : await handler.run(db, context, input);
  const schema = ROUTES[name].reply;
  if (schema === 'csv') throw new Error(`${name} answers CSV`);
  expect(schema.parse(reply)).toEqual(reply);
  return reply as { id?: string };
}

const idOf = ({ id = '' }: { id?: string }) => ({ params: { id } });
const page = { page: 1, pageSize: 10 };

describe('replies fit the contract', () => {
  it('for wallets', async () => {
    await call('listWallets', maya.by, {});
    const revealed = await call('revealWallet', maya.by, idOf(maya.wallet));
    expect(revealed).toEqual({ accountNumber: expect.stringMatching(/^\d{12}$/) });
  });

  it('for bank accounts', async () => {
    const added = await call('addBankAccount', maya.by, { body: bankDetails() });
    const target = idOf(added);
    await call('updateBankAccount', maya.by, { ...target, body: bankDetails() });
    await call('revealBankAccount', maya.by, target);
    await call('adminRevealBankAccount', admin, target);
    await call('adminRejectBankAccount', admin, { ...target, body: { reason: 'Names differ' } });
    await call('listBankAccounts', maya.by, {});
    await call('adminListBankAccounts', admin, {
      query: { ...page, search: '', person: '', status: 'all' },
    });
    await call('removeBankAccount', maya.by, target);
    const second = await call('addBankAccount', maya.by, { body: bankDetails() });
    await call('adminVerifyBankAccount', admin, { ...idOf(second), body: { reason: KNOWN } });
    const routingNumber = '021000021';
    const found = await call('lookUpRoutingNumber', maya.by, { params: { routingNumber } });
    expect(found).toEqual({ isValid: true, bankName: 'JPMorgan Chase Bank' });
  });

  it('for withdrawals', async () => {
    const body = {
      walletId: maya.wallet.id,
      bankAccountId: maya.bank.id,
      amount: money(100n, 'USD'),
      urgency: 'high' as const,
      reason: 'Withdrawal request',
    };
    const ask = async () => idOf(await call('requestWithdrawal', maya.by, { body }));
    const reason = { body: { reason: 'The account is closed' } };
    await call('cancelWithdrawal', maya.by, await ask());
    await call('adminRejectWithdrawal', admin, { ...(await ask()), ...reason });
    const stopped = await ask();
    await call('adminApproveWithdrawal', admin, stopped);
    await call('adminStopWithdrawal', admin, { ...stopped, ...reason });
    const paid = await ask();
    await call('adminApproveWithdrawal', admin, paid);
    await call('adminStartWithdrawal', admin, paid);
    const completion = { body: { bankReference: 'ACH 2311' } };
    await call('adminCompleteWithdrawal', admin, { ...paid, ...completion });
    await call('adminReturnWithdrawal', admin, { ...paid, ...reason });
    expect(await call('getWithdrawal', maya.by, paid)).toMatchObject({ status: 'returned' });
    await call('adminGetWithdrawal', admin, paid);
    await call('listWithdrawals', maya.by, { query: page });
    const filter = { search: '', person: '', status: 'all', urgency: 'all' } as const;
    const query = { ...page, ...filter, sort: 'queue', direction: 'desc' } as const;
    await call('adminListWithdrawals', admin, { query });
    await call('adminWithdrawalStats', admin, {});
  });
});

it('names the export after the company’s day, not that of UTC, and begins it with a byte order mark', async () => {
  const { adminExportWithdrawals: handler } = handlers as unknown as Record<string, AnyHandler>;
  const context = {
    actor: admin.actor,
    origin: { requestId: 'test', ipAddress: null, userAgent: null },
    headers: new Headers(),
  };
  const nameAt = async (time: string) => {
    services.clock.set(time);
    const file = await handler?.run(db, context, { query: firstView(withdrawalList) });
    return file;
  };
  // In New York it is still the 8th.
  expect(await nameAt('2026-12-09T02:00:00.000Z')).toMatchObject({
    name: 'withdrawals-2026-12-08.csv',
  });
  const { chunks } = (await nameAt('2026-12-09T02:00:00.000Z')) as CsvFile;
  let text = '';
  for await (const chunk of chunks) text += chunk;
  expect(text.startsWith('\uFEFFDate,')).toBe(true);
  expect(text.lastIndexOf('\uFEFF')).toBe(0);
  expect(await nameAt('2026-12-09T06:00:00.000Z')).toMatchObject({
    name: 'withdrawals-2026-12-09.csv',
  });
});
