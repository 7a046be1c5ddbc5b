import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedgerFixture, openWallet, type LedgerFixture } from '#test/ledger-fixture.ts';

const COMMAND = join(import.meta.dirname, 'verify.ts');

let fixture: LedgerFixture;
beforeAll(async () => {
  fixture = await openLedgerFixture();
  await openWallet(fixture.db, 123_456n);
});
afterAll(() => fixture.close());

interface Run {
  exitCode: number | null;
  said: string;
}

function runVerify(environment: Record<string, string>, ...flags: string[]): Promise<Run> {
  const env = { PATH: process.env['PATH'], PURSER_DATA: '/nonexistent', ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...flags], { env }, (_error, out, err) =>
      resolve({ exitCode: child.exitCode, said: out + err }),
    );
  });
}

test('says what it counted and that the ledger is sound', async () => {
  const { exitCode, said } = await runVerify({ DATABASE_URL: fixture.appUrl });
  expect(said).toContain('1, with 2 entries');
  expect(said).toContain('$1,234.56 USD');
  expect(said).toContain('The ledger is sound.');
  expect(exitCode).toBe(0);
});

test('names what is wrong, and exits with 1', async () => {
  const missing = 'ab'.repeat(32);
  const { exitCode, said } = await runVerify({ DATABASE_URL: fixture.appUrl }, missing);
  expect(said).toContain(`exported root: ${missing} no block has this root`);
  expect(said).toContain('NOT sound');
  expect(exitCode).toBe(1);
});

test('says in a sentence why nothing can be checked', async () => {
  expect(await runVerify({})).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('There is no Purser in /nonexistent yet'),
  });
  expect(await runVerify({}, 'nonsense')).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('A root is 64 hexadecimal digits'),
  });
  const refused = 'postgresql://nobody@127.0.0.1:1/none';
  const { exitCode, said } = await runVerify({ DATABASE_URL: refused });
  expect(exitCode).toBe(1);
  expect(said).toMatch(/^.*The database cannot be reached \(ECONNREFUSED\).*$/m);
  expect(said).not.toContain('    at ');
});
