import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { formatMoney, money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  enterMicroDeposits,
  expireMicroDeposits,
  passPrenotes,
  updateBankAccount,
} from '#server/modules/bank-accounts/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { bankDetails } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { openBankProofs } from '#test/factories/bank-proofs.ts';
import type { ReturnDesk } from '#test/factories/returned-payouts.ts';
import type { ReturnedEntry } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { getPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';

/** Tuesday, 10:00 AM in New York. Deposits of that day arrive on Wednesday; ten banking days after it is December 23. */
const MORNING = '2026-12-08T15:00:00.000Z';
const LATER = '2026-12-08T16:00:00.000Z';
const EVE = '2026-12-09T04:59:59.000Z';
const ARRIVED = '2026-12-09T05:00:00.000Z';
const LAST_MOMENT = '2026-12-24T04:59:59.000Z';
const OVER = '2026-12-24T05:00:00.000Z';

const services = createTestServices(MORNING);
let db: Db;
let admin: CommandContext;
let other: CommandContext;
let owner: CommandContext;
let steps: ReturnDesk['steps'];
const { add, verify, mine, make } = openBankProofs(
  services,
  { proof: 'micro_deposits', morning: MORNING, ownerNow: () => owner },
  (desk) => ({ db, admin, other, owner, steps } = desk),
);
/** A bank account whose micro-deposits were sent, with their entries. */
async function sent(details = {}) {
  const { id } = await add(details);
  const file = await make(id);
  const { content } = await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { entries } = await getPayoutFile(db, services, admin, file);
  const [one, two] = entries.map(({ traceNumber: trace, reference, amount }) => ({
    trace,
    reference,
    minor: BigInt(amount.minor),
  }));
  if (one === undefined || two === undefined) throw new Error('a file without two deposits');
  return { id, file, content, one, two };
}
type Sent = Awaited<ReturnType<typeof sent>>;
const enter = (id: string, first: bigint, second: bigint, by = owner) =>
  withTx(db, (tx) => {
    const [one, two] = [first, second].map((minor) => ({ minor: String(minor) }));
    const currency = 'USD' as const;
    return enterMicroDeposits(tx, services, by, {
      id,
      first: { minor: '', ...one, currency },
      second: { minor: '', ...two, currency },
    });
  });
/** Enters the right amounts, the second first. */
const enterRight = ({ id, one, two }: Sent) => enter(id, two.minor, one.minor);
/** Enters one right amount and one that is wrong. */
const enterWrong = ({ id, one, two }: Sent) => enter(id, one.minor, (two.minor % 99n) + 1n);
const answered = ({ trace, reference, minor }: Sent['one'], code: string) =>
  steps.book([{ code, trace, reference, ...(code.startsWith('R') && { amountMinor: minor }) }]);
const asked = ({ trace, reference }: Sent['one'], more: Partial<ReturnedEntry>) =>
  steps.book([{ code: 'C01', trace, reference, ...more }]);
/** Changes of the balances of verification, of transit and of clearing while something is done, in minor units. */
async function changesBy(run: () => Promise<unknown>) {
  const codes = ['account_verification', 'payouts_in_transit', 'payout_clearing'];
  const balances = async () => {
    const { rows } = await sql<{ code: string; posted: bigint }>`
      SELECT code, posted FROM ledger_account WHERE code = ANY (${codes})`.execute(db);
    return codes.map((code) => rows.find((row) => row.code === code)?.posted ?? 0n);
  };
  const before = await balances();
  await run();
  return (await balances()).map((after, index) => after - (before[index] ?? 0n));
}
const noticesTo = async ({ actor }: CommandContext) => {
  const notices = db.selectFrom('notification').select('message').where('userId', '=', actor.id);
  return (await notices.execute()).map(({ message }) => message);
};

describe('micro-deposits', () => {
  it('are two credits, whose amounts the owner enters before an administrator verifies the account', async () => {
    const { id } = await add();
    expect((await mine(id)).microDeposits).toEqual({
      fileNumber: null,
      opensAt: null,
      closesAt: null,
      under: { minor: '100', currency: 'USD' },
      triesUsed: 0,
      triesLeft: 3,
      isProved: false,
    });
    const { ready, readySum, readyMicroDeposits } = await getPayouts(db, services, admin);
    expect(ready).toMatchObject([{ id, kind: 'micro_deposit', payees: 'micro_deposits' }]);
    expect([readySum.count, readySum.total.minor, readyMicroDeposits]).toEqual([1, '0', 1]);
    await expect(verify(id)).rejects.toThrow(/It is not in a payout file yet/);
    await expect(enter(id, 1n, 2n)).rejects.toThrow(/The deposits were not sent yet/);

    const file = await make(id);
    const { entries } = await getPayoutFile(db, services, admin, file);
    const [one = 0n, two = 0n] = entries.map(({ amount }) => BigInt(amount.minor));
    expect(file).toMatchObject({ itemCount: 2, total: { minor: String(one + two) } });
    const note = `${formatMoney(money(one + two, 'USD'))} of the company’s own money`;
    expect(file.checks).toContainEqual({ check: 'holds', note, refusal: null });
    expect((await getPayouts(db, services, admin)).ready).toEqual([]);
    await expect(verify(id)).rejects.toThrow(`Payout file ${file.number} was not sent yet`);
    await expect(make(id)).rejects.toThrow(`It has two in payout file ${file.number}`);

    const { content } = await steps.download(file.id);
    const written: [string, bigint, string][] = [];
    await readNacha([content], (entry) => {
      written.push([entry.transactionCode, entry.amountMinor, entry.identification]);
    });
    expect(written).toEqual([
      ['22', one, entries[0]?.reference],
      ['22', two, entries[1]?.reference],
    ]);
    expect(content.match(/^5\d{3}.*$/m)?.[0]).toMatch(/PPDACCTVERIFY/);
    expect(await changesBy(() => steps.doAct('send', file.id))).toEqual([
      -one - two,
      one + two,
      0n,
    ]);

    services.clock.set(EVE);
    await expect(enter(id, one, two)).rejects.toThrow(/The deposits arrive on Dec 9, 2026/);
    await expect(verify(id)).rejects.toThrow(/They arrive on Dec 9, 2026/);
    services.clock.set(ARRIVED);
    await expect(verify(id)).rejects.toThrow(/They arrived on Dec 9, 2026, and 0 of 3 tries are/);
    expect((await enter(id, two, one)).isRight).toBe(true);
    expect((await mine(id)).microDeposits).toMatchObject({ triesUsed: 1, isProved: true });
    await expect(enter(id, two, one)).rejects.toThrow(/You entered them/);
    expect(await noticesTo(other)).toContainEqual(
      expect.stringMatching(/^Maya Castellanos entered the amounts of the micro-deposits to/),
    );
    await verify(id);
    expect(await mine(id)).toMatchObject({ status: 'verified', microDeposits: null });
    expect(await passPrenotes(db, services)).toBe(0);
    expect(await changesBy(() => steps.doAct('settle', file.id))).toEqual([
      0n,
      -one - two,
      one + two,
    ]);
  });

  it('are debits nowhere, and of another code for a savings account', async () => {
    const { content, file } = await sent({ accountType: 'savings' });
    const codes: string[] = [];
    await readNacha([content], (entry) => {
      codes.push(entry.transactionCode);
    });
    expect(codes).toEqual(['32', '32']);
    await steps.doAct('settle', file.id);
  });

  it('are in no record, no notification and no reply to the owner with their amounts', async () => {
    const one = await sent();
    services.clock.set(ARRIVED);
    await enterWrong(one);
    const { rows } = await sql<{ details: Record<string, unknown> }>`
      SELECT details FROM audit_event WHERE subject_id = ${one.id} ORDER BY id`.execute(db);
    expect(rows.slice(1).map(({ details }) => Object.keys(details).toSorted())).toEqual([
      ['at', 'effectiveOn', 'file', 'item', 'last4', 'trace'],
      ['at', 'item', 'last4', 'try'],
    ]);
    const notices = await noticesTo(owner);
    expect(notices).toContainEqual(
      expect.stringMatching(/^Two deposits of less than \$1\.00 each arrive at .* on Dec 9, 2026/),
    );
    expect(notices.join(' ')).not.toMatch(/\$0\./);
    const { microDeposits } = await mine(one.id);
    expect(Object.keys(microDeposits ?? {}).toSorted()).toEqual([
      'closesAt',
      'fileNumber',
      'isProved',
      'opensAt',
      'triesLeft',
      'triesUsed',
      'under',
    ]);
    await steps.doAct('settle', one.file.id);
  });

  it('are not asked for once the company verifies accounts otherwise', async () => {
    const one = await sent();
    services.clock.set(ARRIVED);
    const set = (bankAccountProof: 'none' | 'prenote' | 'micro_deposits') =>
      withTx(db, (tx) => updateSettings(tx, services, admin, { bankAccountProof }));
    await set('prenote');
    await expect(enterRight(one)).rejects.toThrow(/Your company sends no micro-deposits/);
    await expect(verify(one.id)).rejects.toThrow(/after its prenote. It is not in a payout file/);
    const prenote = await make(one.id);
    await steps.download(prenote.id);
    await steps.doAct('send', prenote.id);
    await set('none');
    await verify(one.id);
    await set('micro_deposits');
    await steps.doAct('settle', one.file.id);
    await steps.doAct('settle', prenote.id);
  });
});

describe('an owner who tries', () => {
  it('has three tries, after which the account is rejected and can be entered again', async () => {
    const one = await sent();
    services.clock.set(ARRIVED);
    const first = await enterWrong(one);
    expect(first).toMatchObject({ isRight: false, account: { microDeposits: { triesLeft: 2 } } });
    await expect(verify(one.id)).rejects.toThrow(/1 of 3 tries is used/);
    expect((await enter(one.id, one.one.minor, one.one.minor)).isRight).toBe(false);
    const last = await enterWrong(one);
    const reason =
      'The amounts were entered wrongly three times. Check the account and enter it again.';
    expect(last).toMatchObject({
      isRight: false,
      account: { status: 'rejected', rejectionReason: reason, microDeposits: null },
    });
    await expect(enterRight(one)).rejects.toMatchObject({ code: 'bank_account_not_pending' });
    expect(await noticesTo(owner)).toContainEqual(expect.stringContaining(reason));

    services.clock.set(LATER);
    await withTx(db, (tx) =>
      updateBankAccount(tx, services, owner, { id: one.id, change: bankDetails() }),
    );
    services.clock.set(ARRIVED);
    await expect(enterRight(one)).rejects.toThrow(/The deposits were not sent yet/);
    await steps.doAct('cancel', (await make(one.id)).id);
    await steps.doAct('settle', one.file.id);
  });

  it('at the same moment uses a try for each', async () => {
    const one = await sent();
    services.clock.set(ARRIVED);
    await Promise.all([enterWrong(one), enterWrong(one)]);
    expect((await mine(one.id)).microDeposits).toMatchObject({ triesUsed: 2, triesLeft: 1 });
    const both = await Promise.allSettled([enterWrong(one), enterRight(one), enterWrong(one)]);
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(['bank_account_not_pending', 'micro_deposits_closed']).toContain(reason.code);
    }
    await steps.doAct('settle', one.file.id);
  });

  it('does so for no other person', async () => {
    const one = await sent();
    services.clock.set(ARRIVED);
    const stranger = await createPersonBy(db);
    await expect(enter(one.id, 1n, 2n, stranger)).rejects.toMatchObject({
      code: 'bank_account_not_found',
    });
    await expect(enter(one.id, 1n, 2n, admin)).rejects.toMatchObject({
      code: 'bank_account_not_found',
    });
    expect((await mine(one.id)).microDeposits).toMatchObject({ triesUsed: 0 });
    await steps.doAct('settle', one.file.id);
  });

  it('proves nothing of an account that was changed since', async () => {
    const one = await sent();
    services.clock.set(LATER);
    const change = bankDetails({ accountNumber: '900019' });
    await withTx(db, (tx) => updateBankAccount(tx, services, owner, { id: one.id, change }));
    services.clock.set(ARRIVED);
    await expect(enterRight(one)).rejects.toThrow(/The deposits were not sent yet/);
    // The bank answers about the former number: the company has its money back, and this account waits as it did.
    expect(await changesBy(() => answered(one.one, 'R03'))).toEqual([
      one.one.minor,
      -one.one.minor,
      0n,
    ]);
    expect((await mine(one.id)).status).toBe('pending');
    await steps.doAct('settle', one.file.id);
  });

  it('has time until the end of the tenth banking day', async () => {
    const [one, two] = [await sent(), await sent({ accountNumber: '900020' })];
    services.clock.set(LAST_MOMENT);
    expect(await expireMicroDeposits(db, services)).toBe(0);
    expect((await enterRight(one)).isRight).toBe(true);
    services.clock.set(OVER);
    await expect(enterRight(two)).rejects.toThrow(/That could be done until Dec 23, 2026/);
    await expect(verify(two.id)).rejects.toThrow(/That could be done until Dec 23, 2026/);
    // Those of other tests as well. The first one, which was proved, keeps none from its turn.
    const expireOne = () => expireMicroDeposits(db, services, { most: 1 });
    expect(await expireOne()).toBe(1);
    while ((await expireOne()) > 0);
    expect(await expireMicroDeposits(db, services)).toBe(0);
    expect(await mine(two.id)).toMatchObject({
      status: 'rejected',
      rejectionReason:
        'The amounts were not entered in time. Check the account and enter it again.',
    });
    await verify(one.id);
    await steps.doAct('settle', one.file.id);
    await steps.doAct('settle', two.file.id);
  });

  it('has that time from when the file was marked as sent', async () => {
    const { id } = await add();
    const file = await make(id);
    await steps.download(file.id);
    services.clock.set(OVER);
    await steps.doAct('send', file.id);
    expect(await expireMicroDeposits(db, services)).toBe(0);
    expect((await mine(id)).microDeposits?.closesAt).toBe('2027-01-12T05:00:00.000Z');
    await steps.doAct('settle', file.id);
  });
});

describe('a micro-deposit that comes back', () => {
  it('rejects the account and is the company’s again', async () => {
    const sentOne = await sent();
    const { id, file, one, two } = sentOne;
    expect(await changesBy(() => answered(one, 'R03'))).toEqual([one.minor, -one.minor, 0n]);
    expect(await mine(id)).toMatchObject({
      status: 'rejected',
      rejectionReason: 'R03: No account or unable to locate. Check the account and enter it again.',
    });
    services.clock.set(ARRIVED);
    await expect(enterRight(sentOne)).rejects.toMatchObject({ code: 'bank_account_not_pending' });
    // The file is settled without it.
    expect(await changesBy(() => steps.doAct('settle', file.id))).toEqual([
      0n,
      -two.minor,
      two.minor,
    ]);
    const [entry] = await answered(two, 'R03');
    expect(entry).toMatchObject({ status: 'booked', payment: { kind: 'micro_deposit', id } });
    const [again] = await answered(two, 'R04');
    expect(again).toMatchObject({ status: 'repeated', cause: 'returned' });
  });

  it('after its file was settled reverses both postings, and takes a verification back', async () => {
    const sentOne = await sent();
    const { id, file, one } = sentOne;
    services.clock.set(ARRIVED);
    await enterRight(sentOne);
    await verify(id);
    await steps.doAct('settle', file.id);
    expect(await changesBy(() => answered(one, 'R02'))).toEqual([one.minor, 0n, -one.minor]);
    expect(await mine(id)).toMatchObject({ status: 'rejected', isPrimary: false });
  });

  it('for any cause has the account entered again: the other one may have arrived', async () => {
    const { id, file, two } = await sent();
    await answered(two, 'R26');
    expect((await mine(id)).rejectionReason).toMatch(/^R26: /);
    await steps.doAct('settle', file.id);
  });

  it('of another amount is unknown and changes nothing', async () => {
    const { id, file, one } = await sent();
    const wrong = { ...one, minor: one.minor + 1n };
    let entry: unknown;
    expect(await changesBy(async () => ([entry] = await answered(wrong, 'R03')))).toEqual([
      0n,
      0n,
      0n,
    ]);
    expect(entry).toMatchObject({ status: 'unknown', cause: 'amount' });
    expect((await mine(id)).status).toBe('pending');
    await steps.doAct('settle', file.id);
  });

  it('only as a notification of change rejects the account and gives nothing back', async () => {
    const { id, file, one, two } = await sent();
    let entry: unknown;
    await asked(two, { code: 'C03', corrected: '0210000214400918' });
    expect(
      await changesBy(async () => ([entry] = await asked(one, { corrected: '4400918' }))),
    ).toEqual([0n, 0n, 0n]);
    expect(entry).toMatchObject({ status: 'booked', kind: 'change' });
    expect((await mine(id)).rejectionReason).toMatch(/^C03: the bank has other details/);
    expect(await changesBy(() => steps.doAct('settle', file.id))).toEqual([
      0n,
      -one.minor - two.minor,
      one.minor + two.minor,
    ]);
    expect(await changesBy(() => answered(one, 'R03'))).toEqual([one.minor, 0n, -one.minor]);
    const { files } = await getPayouts(db, services, admin);
    const back = files.find(({ number }) => number === file.number)?.cameBack;
    expect(back).toMatchObject([{ code: 'R03', amount: { minor: String(one.minor) } }]);
  });
});
