import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '#server/lib/limits.ts';
import { readHead } from '#server/modules/ledger/index.ts';
import { openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { UNSEAL_ALL } from '#test/ledger-tampering.ts';
import { startServerProcess } from '#test/server-process.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { until } from '#test/until.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'purser-sealing-'));
const rootsPath = join(dataDir, 'ledger-roots.jsonl');
let fixture: LedgerFixture;
let server: ServerProcess | undefined;

beforeAll(async () => {
  fixture = await openLedgerFixture();
});
afterAll(async () => {
  await server?.kill();
  await fixture.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const TOKEN = 'a token for the scraper';

const start = () =>
  startServerProcess({
    DATABASE_URL: fixture.ownerUrl,
    PURSER_DATA: dataDir,
    PURSER_METRICS_TOKEN: TOKEN,
  });

async function metric(name: string): Promise<number> {
  const text = await (
    await fetch(`${server?.origin}/metrics`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
  ).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

async function readiness(): Promise<unknown> {
  return (await fetch(`${server?.origin}/readyz`)).json();
}

test('the server seals, exports, and signs no history that was rewritten while it was down', async () => {
  await openWallet(fixture.db, 500n);
  server = await start();
  await until(async () => (await readHead(fixture.db)) !== undefined);
  await until(async () => existsSync(rootsPath));
  expect(await metric('purser_sealing_refused')).toBe(0);
  await server.stop();
  const exported = readFileSync(rootsPath, 'utf8');

  await fixture.tamper(...UNSEAL_ALL);
  await openWallet(fixture.db, 7n);
  server = await start();
  await until(async () => (await metric('purser_sealing_refused')) === 1);
  expect(await readHead(fixture.db)).toBeUndefined();
  expect(readFileSync(rootsPath, 'utf8')).toBe(exported);

  expect(await readiness()).toMatchObject({ checks: { ledger: 'ok' } });
  const limitS = LIMITS.seal.unreadyAfterMs / 1_000;
  await fixture.tamper(
    `UPDATE ledger_unsealed SET queued_at = queued_at - interval '${limitS + 1} s'`,
  );
  expect(await metric('purser_unsealed_age_seconds')).toBeGreaterThan(limitS);
  expect(await readiness()).toMatchObject({ status: 'not ready', checks: { ledger: 'failed' } });
});
