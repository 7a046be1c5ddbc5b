import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
  ['restore', '--identity HOME/a-key --roots HOME/none', /is neither a root, .+ nor a file/],
  ['restore', '--identity HOME/a-key --roots HOME/a-folder', /cannot be read \(EISDIR\)\. Name/],
  ['verify', '--fast', /^Unknown option '--fast'/],
  ['verify', '--key', /^Option '--key <value>' argument missing/],
  ['verify', '--key a --key b', /^--key is given twice; give it once/],
  ['verify', '--root HOME/a-folder', /^The file of roots ".+" cannot be read \(EISDIR\)\. Name/],
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
