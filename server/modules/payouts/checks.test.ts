import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PAYOUT_ITEMS } from '#contract/payouts.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { deactivatePerson } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { readPayables } from './payable.ts';
import { fileOf } from './ready.ts';
import type { Payable } from './payable.ts';
import { getPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';
import { sameDayWindow } from './same-day.ts';

/** Tuesday, 10:00 AM in New York. */
const MORNING = '2026-12-08T15:00:00.000Z';
const services = createTestServices(MORNING);
let test: TestDb;
let db: Db;
let admin: CommandContext;
let steps: ReturnType<typeof payoutSteps>;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  steps = payoutSteps(db, services, admin);
  await steps.enterBank();
});
beforeEach(() => services.clock.set(MORNING));
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

/** Names of the checks of a file that fail, each with its sentence. */
async function failing({ number }: { number: string }): Promise<[string, string][]> {
  const { checks } = await getPayoutFile(db, services, admin, { number });
  expect(checks).toHaveLength(7);
  return checks.flatMap(({ check, refusal }) => (refusal === null ? [] : [[check, refusal]]));
}

describe('the checks of a payout file', () => {
  it('all pass when it is made, with their figures, and are over once it was sent', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    expect(file.checks).toEqual([
      { check: 'routing', note: null, refusal: null },
      { check: 'holds', note: '$400.00 on hold in 1 wallet', refusal: null },
      { check: 'single', note: null, refusal: null },
      { check: 'payable', note: null, refusal: null },
      { check: 'days', note: null, refusal: null },
      { check: 'cutOff', note: null, refusal: null },
      { check: 'readBack', note: '1 of 1 payments, same totals', refusal: null },
    ]);
    await steps.download(file.id);
    await steps.doAct('send', file.id);
    expect((await getPayoutFile(db, services, admin, file)).checks).toEqual([]);
    await steps.doAct('settle', file.id);
  });

  it('block the download once the day of its payments has come', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    expect(file.effectiveOn).toEqual(['2026-12-09']);
    services.clock.set('2026-12-09T05:00:00.000Z');
    const sentence =
      'It is too late for payments of Dec 9, 2026. Cancel this file and make another one.';
    expect(await failing(file)).toEqual([['cutOff', sentence]]);
    await expect(steps.download(file.id)).rejects.toMatchObject({ code: 'payout_check_failed' });
    await steps.doAct('cancel', file.id);
    const next = await steps.make([id]);
    expect(next.effectiveOn).toEqual(['2026-12-10']);
    await steps.doAct('cancel', next.id);
  });

  it('pass for a file that is made late in the evening west of New York', async () => {
    await sql`UPDATE company_settings SET time_zone = 'pst'`.execute(db);
    const { id } = await steps.approved();
    // 11:30 PM of December 8 at the company.
    services.clock.set('2026-12-09T07:30:00.000Z');
    const file = await steps.make([id]);
    expect(file.effectiveOn).toEqual(['2026-12-10']);
    expect(await failing(file)).toEqual([]);
    await steps.doAct('cancel', file.id);
    await sql`UPDATE company_settings SET time_zone = 'est'`.execute(db);
  });

  it('block the download after its account was marked because of another return', async () => {
    const who = await steps.payee();
    const first = await steps.approved(who);
    const second = await steps.approved(who);
    const by = { id: first.id };
    for (const name of ['startProcessing', 'complete'] as const) {
      await withTx(db, (tx) => withdrawalActs[name](tx, services, admin, by));
    }
    const file = await steps.make([second.id]);
    const reason = 'Account closed';
    await withTx(db, (tx) => withdrawalActs.return(tx, services, admin, { ...by, reason }));
    expect(await failing(file)).toEqual([
      ['payable', expect.stringContaining('cannot be paid now')],
    ]);
    const refusal = { code: 'payout_item_not_ready' };
    await expect(steps.download(file.id)).rejects.toMatchObject(refusal);
    await steps.doAct('cancel', file.id);
  });

  it('cannot meet another account: one that a file pays to is neither edited nor removed', async () => {
    const { id, who } = await steps.approved();
    const file = await steps.make([id]);
    const removing = { id: who.bank.id };
    const remove = withTx(db, (tx) => bankAccountActs.remove(tx, services, who.by, removing));
    await expect(remove).rejects.toMatchObject({ code: 'bank_account_in_use' });
    expect(await failing(file)).toEqual([]);
    await steps.doAct('cancel', file.id);
  });

  it('pass for a person who left: the money is theirs, and goes where they had it sent', async () => {
    const { id, who } = await steps.approved();
    const file = await steps.make([id]);
    const leaving = { id: who.by.actor.id, reason: 'Left the company' };
    await withTx(db, (tx) => deactivatePerson(tx, services, admin, leaving));
    expect(await failing(file)).toEqual([]);
    await steps.download(file.id);
    await steps.doAct('cancel', file.id);
  });

  it('name a payment that is not ready as its page does, for several payments of which one is', async () => {
    const one = await steps.approved();
    const two = await steps.approved();
    const file = await steps.make([one.id, two.id]);
    const freeze = (at: Date | null) =>
      sql`UPDATE app_user SET payouts_frozen_at = ${at} WHERE id = ${two.who.by.actor.id}`.execute(
        db,
      );
    await freeze(services.clock.now());
    const [[check, sentence]] = (await failing(file)) as [[string, string]];
    expect(check).toBe('payable');
    await expect(steps.download(file.id)).rejects.toThrow(sentence);
    await freeze(null);
    await steps.download(file.id);
    await steps.doAct('cancel', file.id);
  });
});

describe('a same-day file', () => {
  const ask = () => getPayouts(db, services, admin);

  it('pays people today, and is made and given out until the bank’s time', async () => {
    const { id } = await steps.approved();
    expect((await ask()).sameDay).toMatchObject({
      on: '2026-12-08',
      until: '2026-12-08T18:45:00.000Z',
      most: { minor: '100000000' },
    });
    const file = await steps.make([id], [], { isSameDay: true });
    expect(file).toMatchObject({
      effectiveOn: ['2026-12-08'],
      sameDayUntil: '2026-12-08T18:45:00.000Z',
    });
    services.clock.set('2026-12-08T18:45:00.000Z');
    expect(await failing(file)).toEqual([
      ['cutOff', expect.stringContaining('The bank had to have it by Tue 1:45 PM EST.')],
    ]);
    await expect(steps.download(file.id)).rejects.toMatchObject({ code: 'payout_check_failed' });
    expect((await ask()).sameDay).toBeNull();
    services.clock.set('2026-12-08T18:44:59.999Z');
    const { content } = await steps.download(file.id);
    const dates: string[] = [];
    await readNacha([content], (_entry, { effectiveOn, descriptiveDate }) =>
      dates.push(effectiveOn, descriptiveDate),
    );
    expect(dates).toEqual(['261208', 'SD1700']);
    await steps.doAct('cancel', file.id);
  });

  it('is refused after its time, and changes nothing', async () => {
    const { id } = await steps.approved();
    services.clock.set('2026-12-08T18:45:00.000Z');
    const refusal = { code: 'same_day_passed' };
    await expect(steps.make([id], [], { isSameDay: true })).rejects.toMatchObject(refusal);
    expect((await ask()).ready.map((one) => one.id)).toContain(id);
    await steps.doAct('cancel', (await steps.make([id])).id);
  });

  it.each([
    ['on a Saturday', '2026-12-12T15:00:00.000Z', {}],
    ['on a holiday of banks', '2026-12-25T15:00:00.000Z', {}],
    ['where the bank takes none', MORNING, { payoutSameDayUntil: 'none' }],
    ['after an earlier time of the bank', MORNING, { payoutSameDayUntil: '0930' }],
  ] as const)('is not offered %s', async (_when, at, patch) => {
    services.clock.set(at);
    await steps.enterBank(patch);
    expect((await ask()).sameDay).toBeNull();
    await steps.enterBank({ payoutSameDayUntil: '1345' });
  });

  it('leaves larger payments on the next banking day, in a batch of their own', async () => {
    const larger = await steps.approved();
    const smaller = await steps.approved(undefined, 39_999n);
    await steps.enterBank({ payoutSameDayMostMinor: 39_999n });
    const file = await steps.make([larger.id, smaller.id], [], { isSameDay: true });
    expect(file.batches).toMatchObject([
      { effectiveOn: '2026-12-08', count: 1, total: { minor: '39999' } },
      { effectiveOn: '2026-12-09', count: 1, total: { minor: '40000' } },
    ]);
    await steps.doAct('cancel', file.id);
    await steps.enterBank({ payoutSameDayMostMinor: 100_000_000n });
  });

  it('has no time of the bank where all of it is left on the next banking day', async () => {
    const { id } = await steps.approved();
    await steps.enterBank({ payoutSameDayMostMinor: 39_999n });
    const file = await steps.make([id], [], { isSameDay: true });
    expect(file).toMatchObject({ effectiveOn: ['2026-12-09'], sameDayUntil: null });
    services.clock.set('2026-12-08T20:00:00.000Z');
    await steps.download(file.id);
    await steps.doAct('cancel', file.id);
    await steps.enterBank({ payoutSameDayMostMinor: 100_000_000n });
  });

  it.each([
    ['2026-07-08T13:30:00.000Z', 'SD1300'],
    ['2026-12-08T18:45:00.000Z', 'SD1700'],
    ['2026-12-08T21:15:00.000Z', 'SD1800'],
  ])('settles by the time of the bank, %s in the window %s', (until, window) => {
    expect(sameDayWindow(new Date(until))).toBe(window);
  });
});

it('offers no more payments in all than one file has', async () => {
  const { id } = await steps.approved();
  const by = { by: admin, settings: await readSettings(db), ids: [id] };
  let one: Payable | undefined;
  for await (const [first] of readPayables(db, services, by)) one ??= first;
  if (one === undefined) throw new Error('the withdrawal is payable');
  const many = Array.from({ length: MAX_PAYOUT_ITEMS + 1 }, () => one);
  const all = { search: '', payees: 'all', on: 'all' } as const;
  expect(many.filter(fileOf(all))).toHaveLength(MAX_PAYOUT_ITEMS);
  const bill = { ...one, payees: 'businesses' } as const;
  expect([...many, bill].filter(fileOf({ ...all, payees: 'businesses' }))).toEqual([bill]);
});
