import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Withdrawal } from '#contract/api.ts';
import { accountBalances, verifyLedger } from '#server/modules/ledger/index.ts';
import { createMoneyCompany } from '#test/money-company.ts';
import type { MoneyCompany, SignedInPayee } from '#test/money-company.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { until } from '#test/until.ts';

/** Number of times the server is killed; `PURSER_KILL_CYCLES=100` for a long look. */
const CYCLES = Number(process.env['PURSER_KILL_CYCLES'] ?? 4);
const PEOPLE = 6;
const FUNDED_MINOR = 100_000_000n;
const AMOUNT_MINOR = 100n;
/** A server is killed once it has acknowledged so many actions, or fewer. */
const MAX_ACTIONS = 60;

let test: TestDb;
let company: MoneyCompany;
/** The server that runs, or the next one. */
let serving = Promise.withResolvers<ServerProcess>();

beforeAll(async () => {
  test = await openTestDb();
  company = await createMoneyCompany(test, { people: PEOPLE, fundedMinor: FUNDED_MINOR });
});
afterAll(async () => {
  await company?.close();
  await test?.close();
});

/** Asks until a server answers: the same key every time, whichever server is up. */
async function askUntilAnswered(cookie: string, path: string, body?: unknown): Promise<Response> {
  const key = randomUUID();
  for (;;) {
    const { origin } = await serving.promise;
    try {
      const response = await fetch(origin + path, {
        method: 'POST',
        headers: {
          cookie,
          origin,
          'idempotency-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.status < 500) return response;
      await response.body?.cancel();
    } catch {
      // It is unknown if it arrived: that is what the key is for.
    }
  }
}

interface Acknowledged {
  requested: Set<string>;
  cancelled: Set<string>;
  completed: Set<string>;
}

async function acknowledge(into: Set<string>, response: Response): Promise<Withdrawal> {
  if (!response.ok) throw new Error(`Refused: ${await response.text()}`);
  const withdrawal = (await response.json()) as Withdrawal;
  into.add(withdrawal.id);
  return withdrawal;
}

/** One person's money requests, one after the other, until asked to stop. */
async function live(
  person: SignedInPayee,
  done: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const { id } = await acknowledge(
      done.requested,
      await askUntilAnswered(person.cookie, '/api/withdrawals', {
        walletId: person.wallet.id,
        bankAccountId: person.bank.id,
        amount: { minor: AMOUNT_MINOR.toString(), currency: 'USD' },
      }),
    );
    if (turn % 3 === 1) {
      const path = `/api/withdrawals/${id}/cancel`;
      await acknowledge(done.cancelled, await askUntilAnswered(person.cookie, path));
    }
    if (turn % 3 === 2) {
      for (const step of ['approve', 'start-processing']) {
        const path = `/api/admin/withdrawals/${id}/${step}`;
        await acknowledge(new Set(), await askUntilAnswered(company.admin.cookie, path));
      }
      const path = `/api/admin/withdrawals/${id}/complete`;
      await acknowledge(done.completed, await askUntilAnswered(company.admin.cookie, path));
    }
  }
}

it(
  'keeps every acknowledged action exactly once however often the server is killed',
  { timeout: 300_000 + CYCLES * 15_000 },
  async () => {
    const done: Acknowledged = { requested: new Set(), cancelled: new Set(), completed: new Set() };
    let isOver = false;
    const lives = company.payees.map((person) => live(person, done, () => isOver));
    const actions = () => done.requested.size + done.cancelled.size + done.completed.size;
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const server = await company.startServer();
      serving.resolve(server);
      const enough = actions() + Math.random() * MAX_ACTIONS;
      await until(() => actions() >= enough, { everyMs: 1 });
      serving = Promise.withResolvers();
      await server.kill();
    }
    const server = await company.startServer();
    serving.resolve(server);
    await until(() => done.completed.size > 0);
    isOver = true;
    await Promise.all(lives);
    await server.stop();

    const rows = await test.db
      .selectFrom('withdrawal')
      .select(['id', 'status', 'amountMinor'])
      .execute();
    const idsIn = (status: string) =>
      new Set(rows.filter((row) => row.status === status).map(({ id }) => id));
    const stored = new Set(rows.map(({ id }) => id));
    const losses = [...done.requested].filter((id) => !stored.has(id)).length;
    const doubles = rows.length - done.requested.size + losses;
    console.log(
      `${CYCLES} kills, ${actions()} acknowledged actions, ${losses} losses, ${doubles} doubles`,
    );
    expect({ losses, doubles }).toEqual({ losses: 0, doubles: 0 });
    expect(idsIn('cancelled')).toEqual(done.cancelled);
    expect(idsIn('completed')).toEqual(done.completed);
    expect(done.completed.size).toBeGreaterThan(0);

    const balances = await accountBalances(
      test.db,
      company.payees.map(({ wallet }) => wallet.ledgerAccountId),
    );
    const all = [...balances.values()];
    const open = BigInt(idsIn('pending').size) * AMOUNT_MINOR;
    const paid = BigInt(done.completed.size) * AMOUNT_MINOR;
    expect(all.reduce((sum, { heldMinor }) => sum + heldMinor, 0n)).toBe(open);
    expect(all.reduce((sum, { postedMinor }) => sum + postedMinor, 0n)).toBe(
      BigInt(PEOPLE) * FUNDED_MINOR - paid,
    );
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  },
);
