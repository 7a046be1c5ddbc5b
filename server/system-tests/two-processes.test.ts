import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENTS_PATH } from '#contract/paths.ts';
import type { Withdrawal } from '#contract/api.ts';
import { createMoneyCompany } from '#test/money-company.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import type { ServerProcess } from '#test/server-process.ts';

let test: TestDb;
let company: MoneyCompany;

beforeAll(async () => {
  test = await openTestDb();
  company = await createMoneyCompany(test, { people: 1, fundedMinor: 100_000n });
});
afterAll(async () => {
  await company?.close();
  await test?.close();
});

async function ask<Answer>(
  { origin }: ServerProcess,
  cookie: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: {
      cookie,
      origin,
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`Refused: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** The employee's stream of events at a server. */
async function openStream({ origin }: ServerProcess, cookie: string) {
  const response = await fetch(origin + EVENTS_PATH, { headers: { cookie } });
  const reader = response.body?.getReader();
  if (!response.ok || reader === undefined) throw new Error('no stream');
  const decoder = new TextDecoder();
  return {
    /** Waits for an event of that topic. */
    async next(topic: string): Promise<void> {
      for (let heard = ''; !heard.includes(`"topic":"${topic}"`);) {
        const { done, value } = await reader.read();
        if (done) throw new Error('the stream ended');
        heard += decoder.decode(value, { stream: true });
      }
    },
    close: () => reader.cancel(),
  };
}

it('approves at one server for the screen at another, also after either is killed', async () => {
  const [person] = company.payees;
  if (person === undefined) throw new Error('the company has a person');
  let one = await company.startServer();
  const other = await company.startServer();

  const request = (at: ServerProcess) =>
    ask<Withdrawal>(at, person.cookie, '/api/withdrawals', {
      walletId: person.wallet.id,
      bankAccountId: person.bank.id,
      amount: { minor: '100', currency: 'USD' },
    });
  /** Approves a request at one server while the employee looks at another. */
  const approveSeen = async (at: ServerProcess, seenAt: ServerProcess): Promise<number> => {
    const { id } = await request(at);
    const screen = await openStream(seenAt, person.cookie);
    const since = performance.now();
    await ask(at, company.admin.cookie, `/api/admin/withdrawals/${id}/approve`);
    // Events of the request itself may come before.
    for (let status = 'pending'; status !== 'approved';) {
      await screen.next('withdrawals');
      const seen = await fetch(`${seenAt.origin}/api/withdrawals/${id}`, {
        headers: { cookie: person.cookie },
      });
      ({ status } = (await seen.json()) as Withdrawal);
    }
    const tookMs = Math.round(performance.now() - since);
    await screen.close();
    return tookMs;
  };

  const tookMs = [await approveSeen(one, other), await approveSeen(other, one)];
  await one.kill();
  tookMs.push(await approveSeen(other, other));
  one = await company.startServer();
  await other.kill();
  tookMs.push(await approveSeen(one, one));
  const third = await company.startServer();
  tookMs.push(await approveSeen(third, one), await approveSeen(one, third));
  console.log(`Approved at one server, seen at another after ${tookMs.join(', ')} ms`);
  expect(tookMs).toHaveLength(6);
});
