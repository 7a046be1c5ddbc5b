import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { getPayouts } from './get-payouts.ts';
import { makePayoutFile } from './make-payout-file.ts';

const services = createTestServices();
const part = { search: '', payees: 'all', on: 'all' } as const;
let test: TestDb;
let admin: CommandContext;
let steps: ReturnType<typeof payoutSteps>;

beforeAll(async () => {
  test = await openTestDb();
  admin = await createPersonBy(test.db, { role: 'admin' });
  steps = payoutSteps(test.db, services, admin);
  await steps.enterBank();
});
afterAll(() => test.close());
beforeEach(() => stop(services.clock.now()));
afterEach(() => stop(null));

/** Stops payouts as a verification does that found a problem, or lets them go on. */
const stop = (payoutsStoppedAt: Date | null) =>
  withTx(test.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { payoutsStoppedAt }));
const page = () => getPayouts(test.db, services, admin);
const makeAll = (seen: Pick<Awaited<ReturnType<typeof page>>, 'readySum'>) =>
  withTx(test.db, (tx) =>
    makePayoutFile(tx, services, admin, {
      withdrawalIds: [],
      billIds: [],
      all: { ...part, ...seen.readySum },
    }),
  );

it('says that payouts are stopped, not that what is ready has changed, when they stop after the page was seen', async () => {
  await stop(null);
  const { id } = await steps.approved();
  const seen = await page();
  await stop(services.clock.now());

  await expect(makeAll(seen)).rejects.toMatchObject({ code: 'payouts_stopped' });
  await expect(steps.make([id])).rejects.toMatchObject({
    code: 'payout_item_not_ready',
    details: { why: expect.stringMatching(/^Payouts are stopped/) },
  });
  const { readySum, held } = await page();
  expect(readySum.count).toBe(0);
  expect(held).toMatchObject([
    { id, reason: 'stopped', refusal: expect.stringMatching(/^Payouts are stopped/) },
  ]);

  await stop(null);
  // Another one was approved in between: that is a change, and nothing is made that nobody has seen.
  await steps.approved();
  await expect(makeAll(seen)).rejects.toMatchObject({ code: 'payouts_changed' });
  expect((await makeAll(await page())).itemCount).toBe(2);
});
