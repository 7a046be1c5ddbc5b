import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { createPayee, expectSoundMoney, fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { statesWhenKilled } from '#test/killed.ts';
import { problemsIn } from '#test/sound-books.ts';
import { changeTransfers } from './change-plan.ts';
import { runTransfers } from './run-transfers.ts';

const services = { ...createTestServices(), clock: systemClock };
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payout_cooling_hours = 0`.execute(
    test.db,
  );
});
afterAll(() => test.close());

/** Numbers of due lines, runs, moves and withdrawals. */
async function readState(): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT concat_ws(' ', (SELECT count(*) FROM payroll_due_transfer), (SELECT count(*) FROM transfer_run),
                     (SELECT count(*) FROM wallet_move), (SELECT count(*) FROM withdrawal)) AS state`.execute(
    test.db,
  );
  return rows[0]?.state ?? '';
}

it('a line has its run once and whole, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const who = await createPayee(test.db, services, { admin, fundedMinor: 0n });
  const savings = await fundedWallet(test.db, services, who.by, 0n, 'savings');
  const amount = money(100n, 'USD');
  await withTx(test.db, (tx) =>
    changeTransfers(tx, services, who.by, {
      walletId: who.wallet.id,
      version: 0,
      rules: [
        { kind: 'fixed', amount, to: { kind: 'wallet', id: savings.id } },
        { kind: 'fixed', amount, to: { kind: 'bank', id: who.bank.id } },
      ],
    }),
  );
  const amounts = new Map([[who.by.actor.id, 1_000n]]);
  const draft = await draftOwnAmounts(test.db, admin.actor, amounts);
  const { id: batchId } = await sendDraftAsSeen(test.db, admin.actor, draft.id);
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const statesOf = (step: (db: Db) => Promise<unknown>) =>
    statesWhenKilled(test, proxy, readState, step);
  expect(await statesOf((db) => postPayroll(db, services, batchId, { chunkLines: 1 }))).toEqual([
    '0 0 0 0',
    '1 0 0 0',
  ]);
  expect(await statesOf((db) => runTransfers(db, services))).toEqual(['1 0 0 0', '0 1 1 1']);
  expect(await runTransfers(test.db, services)).toBe(0);
  await proxy.close();
  await expectSoundMoney(test.db);
  const checks = businessChecks.filter(({ name }) => /transfer|^move|^withdrawal/.test(name));
  expect(await withTx(test.db, (tx) => problemsIn(tx, checks))).toEqual([]);
});
