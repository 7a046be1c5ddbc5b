import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { usualAmountsOn } from '#contract/usual-pay.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { createEmployee, createEmployeeAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openPayCompany } from '#test/factories/usual-pay.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { TestDb } from '#test/open-db.ts';
import { usualPayActs } from './acts.ts';
import { changeUsualPay } from './change-usual-pay.ts';
import { usualPay } from './index.ts';
import { readUsualPay } from './queries.ts';

const NOW = '2026-12-08T15:00:00.000Z';
const services = createTestServices(NOW);
let company: TestDb;
let renee: TestPerson;
let theo: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  ({ company, renee, theo } = await openPayCompany(services));
});
afterAll(() => company.close());
beforeEach(async () => {
  services.clock.set(NOW);
  ben = await createEmployee(company.db, services, { firstName: 'Ben', lastName: 'Adler' });
  await separateFrom(null);
});

const separateFrom = (minor: bigint | null) =>
  sql`UPDATE company_settings SET separate_usual_pay_minor = ${minor}`.execute(company.db);
const read = (by = renee, person = ben) =>
  readUsualPay(company.db, services, by.by.actor, person.id);

interface Change {
  by?: TestPerson;
  person?: TestPerson;
  validFrom?: string;
  seen?: bigint;
}

/** Changes amounts to these, in minor units. */
async function change(
  amounts: Partial<Record<WalletType, bigint>>,
  { by = renee, person = ben, validFrom = '2026-12-11', seen }: Change = {},
) {
  const { changes } = await read(by, person);
  const now = usualAmountsOn(changes, validFrom);
  const lines = Object.entries(amounts).map(([type, amount]) => ({
    walletType: type as WalletType,
    before: money(seen ?? now[type as WalletType], 'USD'),
    amount: money(amount, 'USD'),
  }));
  const order = { id: person.id, validFrom, reason: 'Yearly review', lines };
  return withTx(company.db, (tx) => changeUsualPay(tx, services, by.by, order));
}

const act = (name: 'confirm' | 'decline' | 'withdraw', by: TestPerson, id: string) =>
  withTx(company.db, (tx) => usualPayActs[name](tx, services, by.by, { id, reason: 'Not agreed' }));
const newest = async () => {
  const [first] = (await read()).changes;
  if (first === undefined) throw new Error('there is no change');
  return first;
};
const paidOn = async (day: string, type: WalletType = 'salary') => {
  const { rows } = await usualPay(type, day).execute(company.db);
  return rows.find(({ userId }) => userId === ben.id)?.amountMinor ?? null;
};

describe('usual pay', () => {
  test('is nothing at first, in each wallet', async () => {
    expect(await read()).toMatchObject({
      on: '2026-12-11',
      isPaid: true,
      rule: null,
      changes: [],
      wallets: [{ walletType: 'salary', amount: { minor: '0' }, validFrom: null }],
      total: { minor: '0' },
    });
  });

  test('is changed from a payday on, and what was valid before stays', async () => {
    await change({ salary: 294_000n });
    await change({ salary: 318_000n }, { validFrom: '2026-12-24' });
    expect(await paidOn('2026-12-10')).toBeNull();
    expect(await paidOn('2026-12-11')).toBe(294_000n);
    expect(await paidOn('2026-12-23')).toBe(294_000n);
    expect(await paidOn('2026-12-24')).toBe(318_000n);
    const { changes, total, wallets } = await read();
    expect(total.minor).toBe('294000');
    expect(wallets).toMatchObject([{ validFrom: '2026-12-11' }]);
    expect(changes).toMatchObject([
      {
        validFrom: '2026-12-24',
        status: 'confirmed',
        needsSecond: false,
        decided: null,
        lines: [{ before: { minor: '294000' }, amount: { minor: '318000' } }],
        changedBy: { name: 'Renee Albright' },
      },
      { validFrom: '2026-12-11', lines: [{ before: { minor: '0' } }] },
    ]);
    expect(usualAmountsOn(changes, '2026-12-30')).toMatchObject({ salary: 318_000n, irs: 0n });
  });

  test('has the later change of one day, and ends by an amount of zero', async () => {
    await change({ salary: 294_000n });
    await change({ salary: 300_000n });
    expect(await paidOn('2026-12-11')).toBe(300_000n);
    await change({ salary: 0n }, { validFrom: '2026-12-24' });
    expect(await paidOn('2026-12-11')).toBe(300_000n);
    expect(await paidOn('2026-12-24')).toBeNull();
  });

  test('covers the people of a department', async () => {
    await change({ salary: 294_000n });
    const of = async (department: 'engineering' | 'sales') => {
      const { rows } = await usualPay('salary', '2026-12-11', department).execute(company.db);
      return rows.filter(({ userId }) => userId === ben.id).length;
    };
    await sql`UPDATE app_user SET department = 'engineering' WHERE id = ${ben.id}`.execute(
      company.db,
    );
    expect([await of('engineering'), await of('sales')]).toEqual([1, 0]);
  });

  test('begins on a payday that is not over', async () => {
    const refusal = (message: string) => ({
      code: 'invalid_request',
      fields: [{ path: 'validFrom', message }],
    });
    const from = (validFrom: string) => change({ salary: 5n }, { validFrom });
    await expect(from('2026-11-27')).rejects.toMatchObject(refusal('This day is over'));
    await expect(from('2026-12-12')).rejects.toMatchObject(
      refusal('Not a payday. The next one after it is Dec 24, 2026'),
    );
    await expect(from('2028-01-07')).rejects.toMatchObject(refusal('Choose a day within a year'));
    services.clock.set('2026-12-11T23:00:00.000Z');
    await from('2026-12-11');
  });

  test.each([
    ['usual_pay_same', () => change({ salary: 0n })],
    ['usual_pay_no_wallet', () => change({ salary: 5n, irs: 5n })],
    ['usual_pay_changed', () => change({ salary: 5n }, { seen: 4n })],
    ['payroll_line_limit', () => change({ salary: 99_999_999_999_999n })],
    ['own_request', () => change({ salary: 5n }, { person: renee })],
    ['usual_pay_not_paid', () => change({ salary: 5n }, { by: renee, person: theo })],
  ])('is refused with %s, and stays', async (code, run) => {
    await expect(run()).rejects.toMatchObject({ code });
    expect((await read()).changes).toEqual([]);
  });

  test('is that of people who can be paid', async () => {
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${ben.id}`.execute(company.db);
    await expect(change({ salary: 5n })).rejects.toMatchObject({ code: 'usual_pay_not_paid' });
    expect(await read()).toMatchObject({ isPaid: false });
  });

  test('is changed once by two who saw the same', async () => {
    const twice = await Promise.allSettled([
      change({ salary: 294_000n }, { seen: 0n }),
      change({ salary: 294_100n }, { seen: 0n, by: theo }),
    ]);
    expectOneWins(twice, 'usual_pay_changed');
  });
});

describe('a change above the setting', () => {
  beforeEach(() => separateFrom(10_000n));

  test('waits, and the former amounts count until another administrator confirms it', async () => {
    await change({ salary: 9_999n });
    expect(await newest()).toMatchObject({ status: 'confirmed', needsSecond: false });
    services.clock.set('2027-02-01T15:00:00.000Z');
    await change({ salary: 19_999n }, { validFrom: '2027-02-05' });
    const waiting = await newest();
    expect(waiting).toMatchObject({
      status: 'waiting',
      needsSecond: true,
      decided: null,
      approval: { isMine: true, mayApprove: false, people: [{ name: 'Theo Marchetti' }] },
      acts: [
        { act: 'confirm', refusal: expect.stringContaining('because you made this change') },
        { act: 'decline', refusal: null },
        { act: 'withdraw', refusal: null },
      ],
    });
    expect(await paidOn('2027-02-05')).toBe(9_999n);
    await expect(act('confirm', renee, waiting.id)).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    await act('confirm', theo, waiting.id);
    expect(await paidOn('2027-02-05')).toBe(19_999n);
    expect(await newest()).toMatchObject({
      status: 'confirmed',
      decided: { by: 'Theo Marchetti' },
      acts: [],
      approval: null,
    });
    await expect(act('confirm', theo, waiting.id)).rejects.toMatchObject({
      code: 'usual_pay_wrong_status',
    });
  });

  test('counts with what one person alone changed in 30 days, also downwards', async () => {
    await change({ salary: 9_000n });
    await change({ salary: 8_001n });
    expect(await newest()).toMatchObject({ needsSecond: false });
    expect((await read()).rule).toMatchObject({
      least: { minor: '10000' },
      recent: { minor: '9999' },
      people: [{ name: 'Theo Marchetti', from: null }],
    });
    await change({ salary: 8_000n });
    expect(await newest()).toMatchObject({ needsSecond: true });
  });

  test('is the only one that waits for a person', async () => {
    await change({ salary: 10_000n });
    await expect(change({ salary: 5n })).rejects.toMatchObject({ code: 'usual_pay_waiting' });
  });

  test('is declined by anybody with a reason, and taken back by who made it', async () => {
    await change({ salary: 10_000n });
    const { id } = await newest();
    await expect(act('withdraw', theo, id)).rejects.toMatchObject({ code: 'usual_pay_of_another' });
    await act('decline', theo, id);
    expect(await newest()).toMatchObject({
      status: 'declined',
      decided: { by: 'Theo Marchetti', reason: 'Not agreed' },
    });
    await change({ salary: 10_000n });
    await act('withdraw', renee, (await newest()).id);
    expect((await read()).changes.map(({ status }) => status)).toEqual(['withdrawn', 'declined']);
    expect(await paidOn('2026-12-11')).toBeNull();
  });

  test('is confirmed before its first payday is over, and while the person is paid', async () => {
    await change({ salary: 10_000n });
    const { id } = await newest();
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${ben.id}`.execute(company.db);
    await expect(act('confirm', theo, id)).rejects.toMatchObject({ code: 'usual_pay_not_paid' });
    await sql`UPDATE app_user SET deactivated_at = NULL WHERE id = ${ben.id}`.execute(company.db);
    services.clock.set('2026-12-12T15:00:00.000Z');
    await expect(act('confirm', theo, id)).rejects.toMatchObject({
      code: 'usual_pay_late',
      details: { day: 'Dec 11, 2026' },
    });
  });

  test('is not decided by the person whom it pays', async () => {
    const admin = await createEmployeeAdmin(company.db, services, { firstName: 'Ada' });
    await change({ salary: 10_000n }, { person: admin });
    const [waiting] = (await read(admin, admin)).changes;
    expect(waiting?.approval).toMatchObject({ mayApprove: false });
    expect(waiting?.acts.find(({ act: name }) => name === 'confirm')?.refusal).not.toBeNull();
    for (const name of ['confirm', 'decline', 'withdraw'] as const) {
      await expect(act(name, admin, waiting?.id ?? '')).rejects.toMatchObject({
        code: 'own_request',
      });
    }
    await act('confirm', theo, waiting?.id ?? '');
  });

  test('is confirmed or declined, one of both', async () => {
    await change({ salary: 10_000n });
    const { id } = await newest();
    const both = await Promise.allSettled([act('confirm', theo, id), act('withdraw', renee, id)]);
    expectOneWins(both, 'usual_pay_wrong_status');
  });
});

test('everything is what the audit trail says', async () => {
  await separateFrom(10_000n);
  await change({ salary: 9_000n });
  await change({ salary: 19_000n });
  await act('confirm', theo, (await newest()).id);
  await change({ salary: 40_000n });
  const checks = businessChecks.filter(({ name }) => name.startsWith('usual-pay'));
  expect(checks.map(({ name }) => name)).toEqual(['usual-pay-history', 'usual-pay-record']);
  expect(await withTx(company.db, (tx) => runChecks(tx, checks))).toEqual([]);
});
