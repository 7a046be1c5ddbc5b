import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '#server/backups/make-backup.ts';
import { smallDiskFor } from '#test/small-disk.ts';
import { backupCommand } from './backup.ts';
import { inviteCommand } from './invite.ts';
import { keysCommand } from './keys.ts';
import { restoreCommand } from './restore.ts';
import { runCommand } from './run-command.ts';
import { verifyCommand } from './verify.ts';

const home = mkdtempSync(join(tmpdir(), 'purser-words-'));
mkdirSync(join(home, 'a-folder'));
writeFileSync(join(home, 'a-key'), 'no key');
writeFileSync(join(home, 'no-roots'), '');
afterAll(() => rmSync(home, { recursive: true }));

const COMMANDS = {
  backup: backupCommand,
  invite: inviteCommand,
  keys: keysCommand,
  restore: restoreCommand,
  verify: verifyCommand,
};

async function run(name: keyof typeof COMMANDS, args: string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await runCommand(COMMANDS[name], {
    args: args.map((word) => word.replace('HOME', home)),
    env: { PURSER_DATA: join(home, 'data') },
    print: (line) => (stdout += `${line}\n`),
    printError: (line) => (stderr += `${line}\n`),
  });
  return { code, stdout, stderr };
}

test.each<[keyof typeof COMMANDS, string, RegExp]>([
  ['backup', '--help', /^Give nothing, or --make-key and the file/],
  ['backup', 'now', /^Give nothing, or --make-key and the file/],
  ['backup', '--make-key', /^Give nothing, or --make-key and the file/],
  ['backup', '--make-key=', /^Give nothing, or --make-key and the file/],
  ['backup', '--make-key HOME/a --make-key HOME/b', /^--make-key is given twice; give it once/],
  ['backup', '--make-key HOME/a-key', /^\S+a-key could not be made \(EEXIST\)\. It is there/],
  ['backup', '--make-key HOME/none/key', /^\S+ could not be made \(ENOENT\)\. Name a file in a/],
  ['invite', '--help', /^Give nothing, or the one email address/],
  ['keys', '', /^Say what to do: one of status, rotate, rotate-secret/],
  ['keys', 'status now', /^Say what to do: one of status/],
  ['restore', '', /^Give --identity with the file of the private key/],
  ['restore', '--identity', /^Give --identity with the file of the private key/],
  ['restore', '--identity --drill', /^Give --identity with the file of the private key/],
  ['restore', '--fast', /^Give --identity with the file of the private key/],
  ['restore', '--identity HOME/a-key one two', /^Give --identity with the file/],
  ['restore', '--identity a --identity b', /^--identity is given twice; give it once/],
  ['restore', '--database postgres://db/x', /^Give --identity with the file/],
  ['restore', '--drill --database postgres://db/x --identity a', /^Give --identity with the/],
  ['restore', '--drill --database postgres://db/x folder', /^Give --identity with the file/],
  ['restore', '--identity HOME/none', /^\S+none with the private key cannot be read \(ENOENT\)/],
  ['restore', '--identity HOME/a-folder', /^\S+ with the private key cannot be read \(EISDIR\)/],
  ['restore', '--identity HOME/a-key', /a-key has no private key of age/],
  ['restore', '--identity HOME/a-key --roots HOME/no-roots', /no-roots" is empty\. Name a file/],
  ['restore', '--identity HOME/a-key --roots HOME/none', /is neither a root, .+ nor a file/],
  ['restore', '--identity HOME/a-key --roots HOME/a-folder', /cannot be read \(EISDIR\)\. Name/],
  ['verify', '--fast', /^Unknown option '--fast'/],
  ['verify', '--key', /^Option '--key <value>' argument missing/],
  ['verify', '--key a --key b', /^--key is given twice; give it once/],
  ['verify', '--root HOME/a-folder', /^The file of roots ".+" cannot be read \(EISDIR\)\. Name/],
  ['verify', '--root HOME/no-roots', /^The file of roots ".+" is empty\. Name a file/],
  ['verify', '--any-key --any-key', /^--any-key is given twice; give it once/],
])('%s %s is refused in one sentence, and makes nothing', async (name, words, sentence) => {
  const before = readdirSync(home);
  const { code, stdout, stderr } = await run(name, words === '' ? [] : words.split(' '));
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('    at ');
  expect([code, stdout]).toEqual([1, '']);
  expect(readdirSync(home)).toEqual(before);
});

test('a private key that found no room is not left in part', async (context) => {
  const disk = smallDiskFor(context, 1);
  disk.fill();
  const file = join(disk.path, 'backup.key');
  const { code, stderr } = await run('backup', ['--make-key', file]);
  expect(stderr).toContain(`${file} could not be made (ENOSPC). Name a file in a folder`);
  expect(code).toBe(1);
  expect(existsSync(file)).toBe(false);
});

const IDENTITY = await generateX25519Identity();

test.each([
  ['with Windows line ends', `# made by age\r\n${IDENTITY}\r\n`],
  ['with a mark of its encoding', `\uFEFF${IDENTITY}\n`],
  ['that was copied with spaces around it', `  ${IDENTITY} \n`],
])('a private key %s is one', async (_what, text) => {
  const file = join(home, 'a-private-key');
  writeFileSync(file, text, { mode: 0o600 });
  const { stderr } = await run('restore', ['--identity', file]);
  expect(stderr).toMatch(/^There is no backup in/);
});

test('a private key that everybody may read is taken with a warning', async () => {
  const file = join(home, 'a-public-private-key');
  writeFileSync(file, IDENTITY);
  chmodSync(file, 0o644);
  const { stderr } = await run('restore', ['--identity', file]);
  expect(stderr).toMatch(
    /^Warning: \S+ with the private key can be read by every user of this machine; chmod it to 0400\.\nThere is/,
  );
});

test('a backup of a time to come is not taken for the newest', async () => {
  const file = join(home, 'a-private-key');
  writeFileSync(file, IDENTITY, { mode: 0o600 });
  const path = join(home, 'data/backups/2999-01-01T00-00-00.000Z');
  mkdirSync(path, { recursive: true });
  const part = { bytes: 1, sha256: '0'.repeat(64) };
  const manifest = {
    format: 1,
    version: '0.1.0',
    startedAt: '2999-01-01T00:00:00.000Z',
    finishedAt: '2999-01-01T00:00:01.000Z',
    parts: { settings: part, database: part },
  };
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest));
  const { code, stderr } = await run('restore', ['--identity', file]);
  expect(stderr).toBe(
    `The newest backup, ${path}, is of a time to come, because a clock was wrong. Name the folder of the backup that you mean.\n`,
  );
  expect(code).toBe(1);
  // It is taken by its name.
  const named = await run('restore', ['--identity', file, path]);
  expect(named.stderr).not.toContain('a time to come');
  rmSync(join(home, 'data'), { recursive: true });
});

test('a backup on a disk that cannot be written says so', async (context) => {
  const { path } = smallDiskFor(context, 1);
  execFileSync('mount', ['-o', 'remount,ro', path]);
  expect(() => makeFolder(join(path, 'backups'))).toThrow('EROFS');
});
