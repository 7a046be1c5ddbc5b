import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectDraftSums, OWN_AMOUNTS } from '#test/payroll-fixture.ts';
import { createPayrollDraft } from './create-draft.ts';
import { getPayrollDraft } from './rows.ts';
import { savePayrollDraft } from './save-draft.ts';

const services = { clock: systemClock };
const usd = (minor: bigint) => money(minor, 'USD');

let test: TestDb;
let admin: Actor;
let people: string[];

beforeAll(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  people = (await seedEmployees(test.db, { count: 4 })).map(({ id }) => id);
});
afterAll(() => test.close());

let own: string;
let chosen: string;
beforeEach(async () => {
  const create = (body: Partial<typeof OWN_AMOUNTS> & { people: string[] }) =>
    withTx(test.db, (tx) =>
      createPayrollDraft(tx, services, { actor: admin }, { ...OWN_AMOUNTS, ...body }),
    );
  const order = { department: 'chosen', people: people.slice(0, 3) } as const;
  ({ id: own } = await create({ ...order, amount: usd(500n) }));
  ({ id: chosen } = await create({ ...order, hasOwnAmounts: false, amount: usd(700n) }));
});

async function shown(id: string) {
  await expectDraftSums(test.db);
  const { employees, total } = await getPayrollDraft(test.db, await readSettings(test.db), id);
  return [employees, total];
}

it('counts people with an amount, or all who were chosen', async () => {
  expect(await shown(own)).toEqual([3, usd(1_500n)]);
  expect(await shown(chosen)).toEqual([3, usd(2_100n)]);
  await sql`UPDATE payroll_draft_person SET amount_minor = NULL
             WHERE draft_id = ${own} AND user_id = ${people[0]}`.execute(test.db);
  expect(await shown(own)).toEqual([2, usd(1_000n)]);
  await withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: admin },
      { id: own, version: 1, hasOwnAmounts: false, amount: usd(300n) },
    ),
  );
  expect(await shown(own)).toEqual([3, usd(900n)]);
});

it('counts what one statement adds, changes and removes, in several drafts', async () => {
  await sql`
    WITH removed AS (DELETE FROM payroll_draft_person
                      WHERE draft_id IN (${own}, ${chosen}) AND user_id = ${people[0]}),
         cleared AS (UPDATE payroll_draft_person SET amount_minor = NULL
                      WHERE draft_id = ${own} AND user_id = ${people[2]})
    INSERT INTO payroll_draft_person (draft_id, user_id, amount_minor, version)
    SELECT draft_id, user_id, 9, 2
      FROM unnest(${[own, chosen]}::uuid[]) AS draft_id, unnest(${[people[1], people[3]]}::uuid[]) AS user_id
        ON CONFLICT (draft_id, user_id) DO UPDATE SET amount_minor = excluded.amount_minor`.execute(
    test.db,
  );
  expect(await shown(own)).toEqual([2, usd(18n)]);
  expect(await shown(chosen)).toEqual([3, usd(2_100n)]);
});

it('counts nothing of a transaction that was rolled back', async () => {
  const failed = withTx(test.db, async (tx) => {
    await sql`DELETE FROM payroll_draft_person WHERE draft_id = ${own}`.execute(tx);
    throw new Error('stops here');
  });
  await expect(failed).rejects.toThrow('stops here');
  expect(await shown(own)).toEqual([3, usd(1_500n)]);
});

it('adds up what two transactions change in one draft', async () => {
  const add = (id: string | undefined) =>
    withTx(test.db, (tx) =>
      sql`UPDATE payroll_draft_person SET amount_minor = amount_minor + 1
           WHERE draft_id = ${own} AND user_id = ${id}`.execute(tx),
    );
  await Promise.all([add(people[0]), add(people[1]), add(people[2])]);
  expect(await shown(own)).toEqual([3, usd(1_503n)]);
});

it('refuses people of a draft that does not exist', async () => {
  const stray = sql`INSERT INTO payroll_draft_person (draft_id, user_id, version)
                    VALUES (${randomUUID()}, ${people[0]}, 1)`.execute(test.db);
  await expect(stray).rejects.toMatchObject({ code: '23503' });
});
