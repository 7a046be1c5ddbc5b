import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { checkIsSealing, checkSealing } from './watch-sealing.ts';

let fixture: LedgerFixture;
beforeAll(async () => {
  fixture = await openLedgerFixture();
  await openWallet(fixture.db);
});
afterAll(() => fixture.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

function sealerThat(state: Partial<ReturnType<Sealer['state']>> = {}): Sealer {
  return {
    run: () => Promise.reject(new Error('not here')),
    handOver: () => Promise.reject(new Error('not here')),
    state: () => ({ refusal: null, exportFailingSince: null, ...state }),
  };
}

const check = (state?: Parameters<typeof sealerThat>[0]) =>
  checkSealing(fixture.db, sealerThat(state));

test('all is well while things are sealed and exported in time', async () => {
  expect(await check()).toBe(true);
  expect(await check({ exportFailingSince: minutesAgo(4) })).toBe(true);
});

test('System Health notices a refusal immediately, and a failing export after a while', async () => {
  const refusal = { code: 'chain_broken', sentence: 'Block 2 was changed.' } as const;
  expect(await check({ refusal })).toBe('sealing is refused (chain_broken): Block 2 was changed.');
  expect(await check({ exportFailingSince: minutesAgo(6) })).toMatch(
    /^the newest root could not be exported since 20\d\d-/,
  );
});

test('it notices what waits for a minute, and /readyz what waits for five', async () => {
  const age = (by: string) =>
    fixture.tamper(`UPDATE ledger_account_unsealed SET queued_at = queued_at - interval '${by}'`);
  await age('61 s');
  const uptime = vi.spyOn(performance, 'now').mockReturnValue(30_000);
  expect(await check()).toBe(true);
  uptime.mockReturnValue(61_000);
  expect(await check()).toMatch(/^something has not been sealed for 6\d s$/);
  uptime.mockRestore();
  expect(await checkIsSealing(fixture.db)).toBe(true);
  await age('4 min');
  expect(await checkIsSealing(fixture.db)).toMatch(/^nothing has been sealed for 30\d s$/);
});
