import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BankDesk } from '#test/bank-desk.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import { getBooksPage } from './books-page.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let employee: string;
let desk: BankDesk;

beforeAll(async () => {
  app = await openTestApp();
  const admin = await createAdmin(app.db, app.services);
  desk = new BankDesk(app, await app.cookieOf(admin, { isConfirmed: true }));
  const person = await createPersonBy(app.db);
  await fundedWallet(app.db, app.services, person, 90_000n, 'savings');
  employee = await app.cookieOf(person.actor);
});
afterAll(() => app.close());

async function read(): Promise<RouteReply<'getBooksPage'>> {
  const reply = await app.ask('GET', '/api/books', { cookie: employee });
  expect(reply.status).toBe(200);
  return (await reply.json()) as RouteReply<'getBooksPage'>;
}
const later = (days: number) =>
  getBooksPage(app.db, { clock: { now: () => new Date(Date.now() + days * DAY_MS) } });
const run = (isSound: boolean, problems: object[] = []) =>
  sql`INSERT INTO verification_run (started_at, finished_at, is_sound, problems)
      VALUES (now(), now(), ${isSound}, ${JSON.stringify(problems)}::jsonb)`.execute(app.db);

describe('the page Books', () => {
  it('says that nothing was checked, and that the bank is not known', async () => {
    expect(await read()).toEqual({
      checkedAt: null,
      sides: { state: 'unchecked', entries: 2 },
      seals: { state: 'unchecked' },
      newest: null,
      bank: null,
    });
  });

  it('says which promise the last check found broken, until everything is sound', async () => {
    await run(true);
    expect(await read()).toMatchObject({ sides: { state: 'kept' }, seals: { state: 'kept' } });
    const problem = { id: 'x', what: 'is not what it was' };
    await run(false, [{ ...problem, check: 'sealed-transaction' }]);
    expect(await read()).toMatchObject({ sides: { state: 'kept' }, seals: { state: 'differs' } });
    await run(false, [{ ...problem, check: 'bank-account-record' }]);
    expect(await read()).toMatchObject({ sides: { state: 'differs' } });
    await run(true);
    expect(await read()).toMatchObject({ sides: { state: 'kept' }, seals: { state: 'kept' } });
  });

  it('shows everyone the difference and no total, in caution after one banking day', async () => {
    await desk.addAccount('DE89370400440532013000');
    await desk.book([['INTEREST', 1_284n]]);
    const { bank } = await read();
    expect(bank).toMatchObject({ openLines: 1, difference: money(1_284n, 'USD'), isLate: false });
    expect(bank?.agreedAt).toBeNull();
    expect(JSON.stringify(await read())).not.toContain('90000');
    // A week has at least three banking days.
    expect((await later(7)).bank).toMatchObject({ isLate: true });
    await desk.match(await desk.open('INTEREST'), [
      { kind: 'interest', itemId: null, minor: '1284' },
    ]);
    const matchedAt = Date.now();
    expect((await read()).bank).toMatchObject({
      openLines: 0,
      difference: money(0n, 'USD'),
      isLate: false,
      agreedAt: null,
    });
    await desk.book([['FEE', -250n]]);
    const { bank: again } = await later(7);
    expect(again).toMatchObject({ openLines: 1, isLate: true });
    expect(Math.abs(Date.parse(again?.agreedAt ?? '') - matchedAt)).toBeLessThan(60_000);
  });
});
