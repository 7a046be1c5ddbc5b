import type { LoggedTransaction, RouteReply } from '#contract/api.ts';
import { firstView } from '#contract/list.ts';
import { transactionList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { transactionLog } from '#server/modules/history/log/list.ts';
import { logScope } from '#server/modules/history/log/scope.ts';
import type { LogFilter } from '#server/modules/history/log/scope.ts';
import { post } from '#server/modules/ledger/index.ts';
import { moveMoney } from '#server/modules/payments/index.ts';
import { offerDeposits } from './factories/deposits.ts';
import { createPayee, fundedWallet, withdrawalIn } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import type { TestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';

export interface LoggedCompany extends TestDb {
  services: TestServices;
  admin: CommandContext;
  maya: Payee;
  grace: Payee;
  /** Sets the clock. */
  at: (time: string) => void;
}

/** A company on a database of its own, with each type and status of what its log has. */
export async function openLoggedCompany(): Promise<LoggedCompany> {
  const services = createTestServices();
  const test = await openTestDb();
  const { db } = test;
  const at = (time: string) => services.clock.set(time);
  await offerDeposits(db, services);
  at('2025-10-14T15:00:00.000Z');
  const admin = await createPersonBy(db, { role: 'admin' });
  const maya = await createPayee(db, services, {
    admin,
    fundedMinor: 500_000n,
    firstName: 'Maya',
    lastName: 'Castellanos',
  });
  at('2025-11-01T03:59:59.000Z'); // 23:59:59 of October 31 in New York
  const grace = await createPayee(db, services, {
    admin,
    fundedMinor: 70_000n,
    firstName: 'Grace',
    lastName: "O'Néill 100%_😀\\",
  });
  at('2025-11-01T04:00:00.000Z');
  await approved(maya, 123_456n);
  at('2025-11-10T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
  await withdrawalIn(db, services, { payee: grace, admin, status: 'rejected', amountMinor: 900n });
  await rejected(grace, 2_000n);
  at('2025-12-02T15:00:00.000Z');
  await transfer(maya, grace.wallet.ledgerAccountId, 1_850n);
  const savings = await fundedWallet(db, services, maya.by, 30_000n, 'savings');
  await move(maya, savings.id, 700n);
  at('2025-12-09T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: grace, admin, status: 'pending' });
  await withdrawalIn(db, services, { payee: maya, admin, status: 'cancelled' });
  await asked(maya, 1_000n);
  return { ...test, services, admin, maya, grace, at };

  async function asked({ by, wallet }: Payee, minor: bigint): Promise<string> {
    const request = { walletId: wallet.id, method: 'ach', amount: money(minor, 'USD') } as const;
    return (await withTx(db, (tx) => requestDeposit(tx, services, by, request))).id;
  }
  async function approved(payee: Payee, minor: bigint): Promise<void> {
    const id = await asked(payee, minor);
    await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id }));
  }
  async function rejected(payee: Payee, minor: bigint): Promise<void> {
    const id = await asked(payee, minor);
    await withTx(db, (tx) =>
      depositActs.reject(tx, services, admin, { id, reason: 'Not received' }),
    );
  }
  async function move({ by, wallet }: Payee, toWalletId: string, minor: bigint): Promise<void> {
    const wallets = { fromWalletId: wallet.id, toWalletId };
    await withTx(db, (tx) =>
      moveMoney(tx, services, by, { ...wallets, amount: money(minor, 'USD') }),
    );
  }
  async function transfer(from: Payee, toAccountId: string, minor: bigint): Promise<void> {
    const posting = {
      kind: 'transfer',
      reference: `TXN-${newId()}`,
      description: 'Paid',
      actorId: from.by.actor.id,
      subjectId: null,
      metadata: { received: 'Received' },
      entries: [
        { accountId: from.wallet.ledgerAccountId, amountMinor: -minor },
        { accountId: toAccountId, amountMinor: minor },
      ],
    };
    await withTx(db, (tx) => post(tx, [posting], { effectiveAt: services.clock.now() }));
  }
}

/** The view of the log without a filter. */
export const NO_FILTER: LogFilter = firstView(transactionList);

/** A page of the log with these filters. */
export async function readLog(
  db: Db,
  changes: Partial<LogFilter>,
  { cursor = '', pageSize = 100 } = {},
): ReturnType<typeof transactionLog.page> {
  const filter = { ...NO_FILTER, ...changes };
  return transactionLog.page(db, { ...filter, cursor, pageSize }, await logScope(db, filter));
}

/** Expected figures for the listed rows. `isOwn` is for the log of one person. */
export async function figuresOf(
  db: Db,
  items: readonly LoggedTransaction[],
  isOwn = false,
): Promise<RouteReply<'adminTransactionStats'>> {
  const reversals = await db
    .selectFrom('ledgerTransaction as one')
    .leftJoin('payrollLine as line', 'line.id', 'one.subjectId')
    .select(['one.id', 'one.reversesId', 'line.ledgerTransactionId as paidId'])
    .select(['line.amountMinor', 'line.reversedMinor'])
    .where('one.kind', '=', 'reversal')
    .execute();
  const ids = new Set(items.map(({ id }) => id));
  const originals = new Set(reversals.map(({ reversesId, paidId }) => reversesId ?? paidId));
  const isRepeated = ({ id }: LoggedTransaction) =>
    reversals.some((one) => one.id === id && ids.has(one.reversesId ?? one.paidId ?? ''));
  /** Part of a payment that was taken back; null where the whole, or nothing, was. */
  const partOf = ({ id }: LoggedTransaction): bigint | null => {
    const part = reversals.find(({ reversesId, paidId }) => reversesId === null && paidId === id);
    const isPart = part !== undefined && part.reversedMinor !== part.amountMinor;
    return isPart ? part.reversedMinor : null;
  };
  const sum = (rows: readonly LoggedTransaction[]) =>
    rows.reduce((total, { amount }) => total + abs(BigInt(amount.minor)), 0n);
  const of = (rows: readonly LoggedTransaction[]) => ({
    count: rows.length,
    amount: money(sum(rows), 'USD'),
  });
  const completed = items.filter(({ status }) => status === 'completed');
  const pending = items.filter(({ status }) => status === 'pending');
  const pendingOf = (type: string) => pending.filter((item) => item.type === type).length;
  const countOf = (one: string) => items.filter(({ status }) => status === one).length;
  const between = completed.filter(({ type }) => type === 'transfer');
  const moved = completed
    .filter(({ type }) => !['transfer', 'move', 'reversal'].includes(type))
    .filter((item) => !originals.has(item.id) || partOf(item) !== null)
    .map((item) => withMinor(item, BigInt(item.amount.minor) - (partOf(item) ?? 0n)));
  const isOut = ({ amount }: LoggedTransaction) => amount.minor.startsWith('-');
  const netMinor = between.reduce((total, { amount }) => total + BigInt(amount.minor), 0n);
  const figures = {
    counts: {
      completed: completed.length,
      pending: pending.length,
      failed: countOf('failed'),
      cancelled: countOf('cancelled'),
    },
    moneyIn: of(moved.filter((item) => !isOut(item))),
    moneyOut: of(moved.filter(isOut)),
    returned: of([
      ...completed
        .filter(({ id }) => originals.has(id))
        .map((item) => withMinor(item, partOf(item) ?? BigInt(item.amount.minor))),
      ...completed.filter((item) => item.type === 'reversal' && !isRepeated(item)),
    ]),
    betweenEmployees: {
      count: between.length,
      amount: money(isOwn ? netMinor : sum(between), 'USD'),
    },
    betweenOwnAccounts: of(completed.filter(({ type }) => type === 'move')),
    pending: {
      amount: of(pending).amount,
      counts: {
        deposit: pendingOf('deposit'),
        withdrawal: pendingOf('withdrawal'),
        bill: pendingOf('bill'),
      },
    },
  };
  return { figures, newestBatches: null };
}

function withMinor(item: LoggedTransaction, minor: bigint): LoggedTransaction {
  return { ...item, amount: money(minor, 'USD') };
}

function abs(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
