import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { grantAdmin } from '#server/modules/identity/index.ts';
import { createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { inviteCommand } from './invite.ts';
import { runCommand } from './run-command.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

async function runInvite(...args: string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await runCommand(inviteCommand, {
    args,
    env: { DATABASE_URL: opened.ownerUrl, PURSER_URL: 'https://pay.example.com' },
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
