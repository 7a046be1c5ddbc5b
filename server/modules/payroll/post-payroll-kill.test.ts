import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { programPath } from '#test/bundle-programs.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import type { CutProxy } from '#test/cut-proxy.ts';
import {
  proposedRecovery,
  retireEverybody,
  seedAdmin,
  seedEmployees,
} from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { statesWhenKilled } from '#test/killed.ts';
import { until } from '#test/until.ts';
import {
  accountForPayroll,
  draftOwnAmounts,
  payrollFindings,
  sendDraftAsSeen,
} from '#test/payroll-fixture.ts';
import { payrollActs } from './batch.ts';
import { savePayrollDraft } from './drafts/save-draft.ts';
import { postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';
import { recoveryActs } from './recoveries/acts.ts';
import { reverseBatch } from './reverse-batch.ts';
import { reverseLine } from './reverse-line.ts';

/** Number of times the posters are killed; `PURSER_KILL_CYCLES=200` for a long look. */
const CYCLES = Number(process.env['PURSER_KILL_CYCLES'] ?? 15);
const CHUNK_LINES = 20;
/** Less than the batch has, so that people are notified next to the posting. */
const MAILED_LINES = 1_000;
/** Posters are killed once they have paid so many lines, or less: the batch outlives the kills. */
const MAX_PAID_LINES = 5 * CHUNK_LINES;
/** With what is paid between a look at the progress and the kill, on a quick machine. */
const LINES = 3 * MAX_PAID_LINES * CYCLES;
const MAX_LIFE_MS = 150;

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

/** Everything that a step of a payroll may leave behind. */
async function readState(): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT json_build_array(
             (SELECT json_agg(draft ORDER BY id) FROM payroll_draft AS draft),
             (SELECT json_agg(named ORDER BY draft_id, user_id) FROM payroll_draft_person AS named),
             (SELECT json_agg(batch ORDER BY id) FROM payroll_batch AS batch),
             (SELECT json_agg(line ORDER BY batch_id, line_number) FROM payroll_line AS line),
             (SELECT json_agg(account ORDER BY id) FROM ledger_account AS account),
             (SELECT json_agg(recovery ORDER BY id) FROM recovery),
             (SELECT json_agg(taken ORDER BY id) FROM recovery_instalment AS taken),
             (SELECT count(*) FROM ledger_transaction), (SELECT count(*) FROM payroll_reversal),
             (SELECT count(*) FROM audit_event), (SELECT count(*) FROM notification),
             (SELECT count(*) FROM outbox))::text AS state`.execute(test.db);
  return rows[0]?.state ?? '';
}

/** Number of states that a step leaves, wherever its server is killed: 2 where nothing is ever half done. */
async function doKilled(proxy: CutProxy, step: (db: Db) => Promise<unknown>): Promise<number> {
  return (await statesWhenKilled(test, proxy, readState, step)).length;
}

it('is whole after each step of a payroll, wherever its server is killed', async () => {
  const AMOUNTS = [100n, 2_000n, 30_000n];
  const TOTAL = 32_100n;
  const words = { reason: 'wrong_amount', message: 'The amount was wrong.' } as const;
  const services = { clock: systemClock };
  const usd = (minor: bigint) => money(minor, 'USD');
  const setCompany = (cancelSeconds: number, separateMinor: bigint | null) =>
    test.db
      .updateTable('companySettings')
      .set({ payrollCancelSeconds: cancelSeconds, separatePayrollMinor: separateMinor })
      .execute();
  await setCompany(0, 1n);
  const people = await seedEmployees(test.db, { count: AMOUNTS.length });
  const by = { actor: await seedAdmin(test.db) };
  const second = { actor: await seedAdmin(test.db, 'Theo Marchetti') };
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const killed = (step: (tx: Tx) => Promise<unknown>) => doKilled(proxy, (db) => withTx(db, step));

  const amounts = people.map(({ id }, index) => ({ id, amount: usd(AMOUNTS[index] ?? 0n) }));
  const draft = await draftOwnAmounts(test.db, by.actor, new Map());
  const { id, version } = draft;
  const saved = { id, version, people: amounts };
  expect(await killed((tx) => savePayrollDraft(tx, services, by, saved))).toBe(2);
  expect(await doKilled(proxy, (db) => sendDraftAsSeen(db, by.actor, id))).toBe(2);
  const { id: batchId } = await test.db
    .selectFrom('payrollBatch')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(await killed((tx) => payrollActs.approve(tx, services, second, { id: batchId }))).toBe(2);
  // A line in each transaction, so what was paid stays paid.
  const post = (db: Db) => postPayroll(db, services, batchId, { chunkLines: 1 });
  expect(await doKilled(proxy, post)).toBeGreaterThan(2);
  expect(await accountForPayroll(test.db, batchId)).toEqual({
    paidLines: 3,
    losses: 0,
    doubles: 0,
    movedMinor: TOTAL,
    batchPaidMinor: TOTAL,
    notifications: 3,
    mails: 3,
  });

  const { id: lineId, amountMinor } = await test.db
    .selectFrom('payrollLine')
    .select(['id', 'amountMinor'])
    .where('batchId', '=', batchId)
    .where('lineNumber', '=', 1)
    .executeTakeFirstOrThrow();
  const line = { id: lineId, amount: usd(amountMinor), left: usd(amountMinor), ...words };
  expect(await killed((tx) => reverseLine(tx, services, second, line))).toBe(2);
  const rest = { id: batchId, after: 0, ...words };
  expect(await killed((tx) => reverseBatch(tx, services, second, rest))).toBe(2);
  expect(await getPayrollBatch(test.db, batchId, by.actor.id)).toMatchObject({
    reversedCount: 3,
    reversedTotal: usd(TOTAL),
    paidCount: 3,
  });

  await setCompany(60, null);
  const again = await draftOwnAmounts(test.db, by.actor, new Map([[people[0]?.id ?? '', 7n]]));
  const { id: stoppedId } = await sendDraftAsSeen(test.db, by.actor, again.id);
  expect(await killed((tx) => payrollActs.stop(tx, services, by, { id: stoppedId }))).toBe(2);
  await setCompany(0, null);
  await proxy.close();
  expect(await payrollFindings(test.db)).toEqual([]);
  expect((await verifyLedger(test.db)).problems).toEqual([]);
});

it('recovers each instalment once, wherever the server is killed, and gives it back once', async () => {
  await retireEverybody(test.db);
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, separate_payroll_minor = NULL`.execute(
    test.db,
  );
  const services = { clock: systemClock };
  const usd = (minor: bigint) => money(minor, 'USD');
  const [person] = (await seedEmployees(test.db, { count: 1 })) as [Required<SeededEmployee>];
  const by = { actor: await seedAdmin(test.db) };
  const own: CommandContext = { actor: { id: person.id, role: 'employee', name: 'Person' } };
  const pay = async (minor: bigint) => {
    const draft = await draftOwnAmounts(test.db, by.actor, new Map([[person.id, minor]]));
    return (await sendDraftAsSeen(test.db, by.actor, draft.id)).id;
  };
  const paidId = await pay(1_000n);
  await postPayroll(test.db, services, paidId);
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const killed = (step: (tx: Tx) => Promise<unknown>) => doKilled(proxy, (db) => withTx(db, step));
  const propose = (db: Db) => proposedRecovery(db, services, by, paidId);
  expect(await doKilled(proxy, propose)).toBe(2);
  const { id } = await test.db.selectFrom('recovery').select('id').executeTakeFirstOrThrow();
  expect(await killed((tx) => recoveryActs.accept(tx, services, own, { id }))).toBe(2);

  const batchId = await pay(4_000n);
  // The line is paid and its instalment taken, and then the batch is finished.
  const post = (db: Db) => postPayroll(db, services, batchId, { chunkLines: 1 });
  expect(await doKilled(proxy, post)).toBe(3);
  const recovered = () =>
    test.db
      .selectFrom('recovery')
      .select(['status', 'recoveredMinor'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  expect(await recovered()).toEqual({ status: 'finished', recoveredMinor: 1_000n });
  const { id: lineId } = await test.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  const line = { id: lineId, amount: usd(4_000n), left: usd(4_000n) };
  const words = { reason: 'paid_twice', message: 'Twice.' } as const;
  const second = { actor: await seedAdmin(test.db, 'Theo Marchetti') };
  expect(await killed((tx) => reverseLine(tx, services, second, { ...line, ...words }))).toBe(2);
  expect(await recovered()).toEqual({ status: 'accepted', recoveredMinor: 0n });
  await proxy.close();
  expect(await payrollFindings(test.db)).toEqual([]);
  expect((await verifyLedger(test.db)).problems).toEqual([]);
});

/** Two processes that both begin to post the batch now, past their start-up: not one while the other starts. */
async function startPosters(batchId: string): Promise<ChildProcess[]> {
  const posters = [0, 1].map(() =>
    spawn(
      process.execPath,
      [
        programPath('payroll-poster'),
        test.appUrl,
        batchId,
        String(CHUNK_LINES),
        String(MAILED_LINES),
      ],
      {
        env: childEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    ),
  );
  await Promise.all(
    posters.map(async (poster) => {
      await Promise.race([once(poster.stdout, 'data'), once(poster, 'exit')]);
      if ((poster.exitCode ?? 0) > 0) throw new Error('A poster could not start');
    }),
  );
  for (const { stdin } of posters) stdin.end();
  return posters;
}

/**
 * Lets posters live for a while that is never the same, in time and in what they pay. On a busy machine all
 * would die by time before they have paid a chunk, so `hasPaid` lets them live until they have.
 *
 * @param paidLines number of lines that they have paid; infinite once there are no more
 */
async function live(
  paidLines: () => Promise<number>,
  { hasPaid }: { hasPaid: boolean },
): Promise<void> {
  const endMs = performance.now() + Math.random() * MAX_LIFE_MS;
  const mostLines = Math.random() * MAX_PAID_LINES;
  const isOver = async () =>
    hasPaid
      ? (await paidLines()) > mostLines
      : performance.now() >= endMs || (await paidLines()) >= mostLines;
  await until(isOver, { everyMs: 1 });
}

async function end(posters: readonly ChildProcess[], kill: boolean): Promise<void> {
  await Promise.all(
    posters.map(async (poster) => {
      if (poster.exitCode !== null || poster.signalCode !== null) return;
      const exited = once(poster, 'exit');
      if (kill) poster.kill('SIGKILL');
      await exited;
    }),
  );
}

it(
  'pays everybody exactly once however often its processes are killed',
  { timeout: 300_000 + CYCLES * 15_000 },
  async () => {
    const admin = await seedAdmin(test.db);
    let kills = 0;
    let killedMidway = 0;
    const isShort = () => kills < CYCLES || killedMidway === 0;

    async function payOneBatch(): Promise<void> {
      const people = await seedEmployees(test.db, { count: LINES });
      const amounts = new Map(people.map(({ id }, index) => [id, 100_000n + BigInt(index)]));
      const total = [...amounts.values()].reduce((sum, minor) => sum + minor, 0n);
      const draft = await draftOwnAmounts(test.db, admin, amounts);
      const { id: batchId } = await sendDraftAsSeen(test.db, admin, draft.id);
      const progress = () => getPayrollBatch(test.db, batchId, '');
      while ((await progress()).status === 'processing') {
        const before = await progress();
        const posters = await startPosters(batchId);
        const isKilled = isShort();
        const paid = async () => {
          const { status, paidCount } = await progress();
          return status === 'processing' ? paidCount - before.paidCount : Infinity;
        };
        if (isKilled) await live(paid, { hasPaid: kills % 2 === 1 });
        await end(posters, isKilled);
        const after = await progress();
        if (isKilled) kills += 1;
        if (isKilled && after.paidCount > before.paidCount && after.status === 'processing') {
          killedMidway += 1;
        }
      }
      const account = await accountForPayroll(test.db, batchId);
      console.log(
        `${kills} kills (${killedMidway} with chunks done before), ${account.paidLines} of ${LINES} ` +
          `lines paid, ${account.losses} losses, ${account.doubles} doubles`,
      );
      expect(account).toEqual({
        paidLines: LINES,
        losses: 0,
        doubles: 0,
        movedMinor: total,
        batchPaidMinor: total,
        notifications: LINES,
        mails: LINES,
      });
      expect(await progress()).toMatchObject({
        status: 'completed',
        paidCount: LINES,
        failedCount: 0,
      });
    }

    // Posters that run while this process waits for a processor may complete a batch before its kills.
    while (isShort()) await payOneBatch();
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  },
);
