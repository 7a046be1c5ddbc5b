import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { isSealedInTime, isSealing } from './watch-sealing.ts';

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

const isWell = (state?: Parameters<typeof sealerThat>[0]) =>
  isSealedInTime(fixture.db, sealerThat(state));

test('all is well while things are sealed and exported in time', async () => {
  expect(await isWell()).toBe(true);
  expect(await isWell({ exportFailingSince: minutesAgo(4) })).toBe(true);
});

test('System Health notices a refusal at once, and a failing export after a while', async () => {
  const refusal = { code: 'chain_broken', sentence: 'Block 2 was changed.' } as const;
  expect(await isWell({ refusal })).toBe(false);
  expect(await isWell({ exportFailingSince: minutesAgo(6) })).toBe(false);
});

test('it notices what waits for a minute, and /readyz what waits for five', async () => {
  const age = (by: string) =>
    fixture.tamper(`UPDATE ledger_account_unsealed SET queued_at = queued_at - interval '${by}'`);
  await age('61 s');
  const uptime = vi.spyOn(performance, 'now').mockReturnValue(30_000);
  expect(await isWell()).toBe(true);
  uptime.mockReturnValue(61_000);
  expect(await isWell()).toBe(false);
  uptime.mockRestore();
  expect(await isSealing(fixture.db)).toBe(true);
  await age('4 min');
  expect(await isSealing(fixture.db)).toBe(false);
});
