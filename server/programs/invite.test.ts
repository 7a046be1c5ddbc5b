import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { withTx } from '#server/db/tx.ts';
import { grantAdmin } from '#server/modules/identity/index.ts';
import { createTestDatabase } from '#test/database.ts';
import { createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { inviteCommand } from './invite.ts';
import { keysCommand } from './keys.ts';
import { runCommand } from './run-command.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

const runInvite = (...args: string[]) =>
  run(inviteCommand, { DATABASE_URL: opened.ownerUrl }, ...args);

async function run(
  command: typeof inviteCommand | typeof keysCommand,
  place: Record<string, string>,
  ...args: string[]
) {
  let [stdout, stderr] = ['', ''];
  const code = await runCommand(command, {
    args,
    env: { ...place, PURSER_URL: 'https://pay.example.com' },
    print: (line) => (stdout += `${line}\n`),
    printError: (line) => (stderr += `${line}\n`),
  });
  return { code, stdout, stderr };
}
const tokenIn = (text: string) => /^ {2}https:\S+\?invite=([\w-]{43})$/m.exec(text)?.[1] ?? '';

test('prints an invite that makes an admin, and only the account it names', async () => {
  const [owner, other] = [
    await createEmployee(opened.db, services),
    await createEmployee(opened.db, services),
  ];
  const { stdout } = await runInvite(owner.email);
  expect(stdout).toContain('https://pay.example.com/onboarding?invite=');
  const redeem = ({ by }: typeof owner) =>
    withTx(opened.db, (tx) => grantAdmin(tx, services, by, tokenIn(stdout)));
  await expect(redeem(other)).rejects.toMatchObject({ code: 'invite_other_email' });
  expect(await redeem(owner)).toBe(true);
});

test('says what it takes when given something else', async () => {
  const said = { code: 1, stdout: '', stderr: expect.stringContaining('Give nothing') };
  expect(await runInvite('nonsense')).toMatchObject(said);
  expect(await runInvite('a@purser.test', 'b@purser.test')).toMatchObject(said);
});

describe.each([
  ['invite', inviteCommand, []],
  ['keys', keysCommand, ['status']],
])('%s makes and migrates no company', (_name, command, args) => {
  test.each(['an empty folder', 'a folder that is missing'])('in %s', async (what) => {
    const home = mkdtempSync(join(tmpdir(), 'purser-invite-'));
    const dataDir = what === 'an empty folder' ? home : join(home, 'data');
    const { code, stdout, stderr } = await run(command, { PURSER_DATA: dataDir }, ...args);
    expect(stderr).toBe(
      `There is no Purser in ${dataDir} yet; set PURSER_DATA to the data folder of one, or start it once.\n`,
    );
    expect({ code, stdout, made: existsSync(dataDir) && readdirSync(dataDir).length > 0 }).toEqual({
      code: 1,
      stdout: '',
      made: false,
    });
    rmSync(home, { recursive: true });
  });

  test('nor takes a folder that it cannot read for one without a company', async () => {
    const home = mkdtempSync(join(tmpdir(), 'purser-invite-'));
    const dataDir = join(home, 'data');
    symlinkSync(dataDir, dataDir);
    const { code, stderr } = await run(command, { PURSER_DATA: dataDir }, ...args);
    expect(stderr).toBe(
      `The data folder ${dataDir} cannot be read (ELOOP). Run this as the user of the server, or set PURSER_DATA to another folder.\n`,
    );
    expect(code).toBe(1);
    rmSync(home, { recursive: true });
  });

  test.each([
    ['without one', 'ALTER TABLE purser_migration RENAME TO kept', /^There is no Purser in the/],
    [
      'of an older version',
      'DELETE FROM purser_migration WHERE name = (SELECT max(name) FROM purser_migration)',
      /^Purser in the database of DATABASE_URL is of an older version/,
    ],
  ])('in a database %s', async (_what, change, words) => {
    const database = await createTestDatabase();
    await withClient(database.ownerUrl, (client) => client.query(change));
    const { code, stdout, stderr } = await run(
      command,
      { DATABASE_URL: database.ownerUrl },
      ...args,
    );
    expect(stderr).toMatch(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    await database.drop();
  });
});
