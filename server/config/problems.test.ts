import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StartError } from '#server/lib/start-error.ts';
import { readDocsTable, wordsIn } from '#test/docs-table.ts';
import { readConfig } from './config.ts';
import { SECRET_NAMES, SETTING_NAMES } from './names.ts';

const SECRET = randomBytes(32).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'purser-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Sentences of a refused start, one a line; none if it is accepted. */
function refusal(environment: Record<string, string>, flags: string[] = []): string[] {
  try {
    readConfig(flags, environment);
  } catch (error) {
    if (error instanceof StartError) return error.message.split('\n').map((line) => line.trim());
    throw error;
  }
  return [];
}

function fileOf(name: string, content: string | Buffer, mode = 0o400): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

test('docs/operating.md lists every setting, and every one that can be a file', () => {
  const listed = readDocsTable('## Settings', 'operating.md').flatMap(([name]) => wordsIn(name));
  expect(listed.toSorted()).toEqual(SETTING_NAMES.toSorted());
  expect(SECRET_NAMES.filter((name) => !/KEY$|SECRET$|TOKEN$|URL$/.test(name))).toEqual([]);
});

test('all problems are named in one message', () => {
  const said = refusal(
    {
      PORT: 'http',
      MAIL_FROM: 'payroll',
      PURSER_SECRET: 'changeme',
      PURSER_URL: 'http://pay.example.com',
      PURSER_METRICS_TOKEN: 'x'.repeat(40),
      PURSER_MASTER_KEY_FILE: join(folder, 'none'),
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
    ['--production'],
  );
  expect(said).toEqual([
    'Settings are wrong:',
    expect.stringMatching(
      /^PURSER_MASTER_KEY_FILE names .* cannot be read \(ENOENT\); name a file/,
    ),
    expect.stringMatching(/^Production does not start without PURSER_LEDGER_KEY, SMTP_URL;/),
    expect.stringMatching(/^PORT is "http"/),
    expect.stringMatching(/^MAIL_FROM is "payroll"/),
    expect.stringMatching(/^PURSER_SECRET has to be/),
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0/),
    expect.stringMatching(/^PURSER_URL has to begin/),
    expect.stringMatching(/^PURSER_METRICS_TOKEN can be guessed/),
  ]);
});

describe('refuses', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['a bucket without a region', { PURSER_FILES: 's3://images' }, /^PURSER_FILES has no region/],
    [
      'roots in a bucket without a region',
      { PURSER_LEDGER_ROOTS: 's3://books/purser' },
      /^PURSER_LEDGER_ROOTS has no region/,
    ],
    [
      'roots in a folder that is not there',
      { PURSER_LEDGER_ROOTS: '/nonexistent/worm/roots.jsonl' },
      /names a file in \/nonexistent\/worm, which is not there/,
    ],
    ['roots that are a folder', { PURSER_LEDGER_ROOTS: folder }, /name a file in it/],
    ['a sender without an address', { MAIL_FROM: 'Tallis & Reed' }, /^MAIL_FROM is/],
    ['a sender with half an address', { MAIL_FROM: 'Tallis <payroll@>' }, /^MAIL_FROM is/],
    ['a sender that is two', { MAIL_FROM: 'Tallis, Reed <payroll@example.com>' }, /in quotes/],
    ['an address with a line break', { PURSER_URL: 'https://pay.\nexample.com' }, /line break/],
    ['an address with a tab', { SMTP_URL: 'smtps://mail.\texample.com' }, /control character/],
    ['an address with a space', { PURSER_URL: 'https://pay.example.com /' }, /has a space in it/],
    ['a mail server without a host', { SMTP_URL: 'smtps:mail' }, /^SMTP_URL is not an address/],
    ['a secret of two lines', { PURSER_SECRET: `${SECRET}\n${SECRET}` }, /line break/],
    ['a network with half a bit', { PURSER_TRUSTED_PROXIES: '10.0.0.0/8.5' }, /^PURSER_TRUSTED/],
    ['a network without its bits', { PURSER_TRUSTED_PROXIES: '10.0.0.0/' }, /^PURSER_TRUSTED/],
    ['a network with two sizes', { PURSER_TRUSTED_PROXIES: '10.0.0.0/8/9' }, /^PURSER_TRUSTED/],
    ['days below one', { PURSER_BACKUP_DAYS: '0' }, /^PURSER_BACKUP_DAYS is "0"/],
    ['too many days', { PURSER_BACKUP_DAYS: '100000' }, /from 1 to 99999/],
    ['too few reads', { PURSER_READS_PER_MINUTE: '9' }, /10 or more/],
    ['a key for backups that is none', { PURSER_BACKUP_KEY: 'age1x' }, /no public key of age/],
  ])('%s', (_what, environment, words) => {
    expect(refusal(environment)).toEqual([expect.stringMatching(words)]);
  });

  test('the private key of backups, and does not print it', () => {
    const [said = ''] = refusal({ PURSER_BACKUP_KEY: `AGE-SECRET-KEY-1${'Q'.repeat(58)}` });
    expect(said).toContain('is a private key, which must not be on this machine');
    expect(said).not.toContain('QQQ');
  });
});

test('accepts senders, buckets and roots that are right', () => {
  mkdirSync(join(folder, 'worm'));
  for (const environment of [
    { MAIL_FROM: 'payroll@example.com' },
    { MAIL_FROM: 'Tallis & Reed <payroll@example.com>' },
    { MAIL_FROM: '"Tallis, Reed" <payroll@example.com>' },
    { PURSER_FILES: 's3://images?endpoint=http://127.0.0.1:9000' },
    { PURSER_LEDGER_ROOTS: join(folder, 'worm', 'roots.jsonl') },
    { DATABASE_URL: 'postgresql:///purser?host=/run/postgresql' },
    { PURSER_TRUSTED_PROXIES: '127.0.0.1, fd00::/8' },
  ]) {
    expect(refusal(environment)).toEqual([]);
  }
});

describe('a file with a secret', () => {
  const production = (path: string) =>
    refusal({ PURSER_SECRET_FILE: path }, ['--production']).filter((line) =>
      line.startsWith('PURSER_SECRET'),
    );
  const warnings = (path: string) => readConfig([], { PURSER_SECRET_FILE: path }).warnings;

  test.each([
    ['bytes', Buffer.from([0xff, 0xfe, 1, 2]), /which is not text/],
    ['a zero byte', `${SECRET}\0`, /control character/],
    ['two lines', `${SECRET}\n${SECRET}\n`, /line break/],
    ['a whole disk', 'x'.repeat(100_000), /too large/],
  ])('is refused with %s in it', (name, content, words) => {
    expect(refusal({ PURSER_SECRET_FILE: fileOf(name, content) })).toEqual([
      expect.stringMatching(words),
    ]);
  });

  test.each([0o400, 0o440, 0o600, 0o640])('may have the mode %o', (mode) => {
    const path = fileOf(`good-${mode}`, SECRET, mode);
    expect(production(path)).toEqual([]);
    expect(warnings(path)).toEqual([]);
  });

  test.each([0o622, 0o666])('is refused in production with the mode %o', (mode) => {
    const path = fileOf(`open-${mode}`, SECRET, mode);
    expect(production(path)).toEqual([expect.stringContaining('everybody may change')]);
    expect(warnings(path)).toEqual([expect.stringMatching(/^Warning: PURSER_SECRET_FILE names/)]);
  });

  test.each([0o644, 0o604, 0o444])('is accepted with a warning with the mode %o', (mode) => {
    const path = fileOf(`read-${mode}`, SECRET, mode);
    expect(production(path)).toEqual([]);
    expect(warnings(path)).toEqual([expect.stringContaining('every user of this machine')]);
  });
});

describe('a variable that is no setting', () => {
  test.each([
    ['PURSER_BACKUP', 'PURSER_BACKUPS'],
    ['PURSER_LEDGER_ROOT', 'PURSER_LEDGER_ROOTS'],
    ['PURSER_TRUSTED_PROXY', 'PURSER_TRUSTED_PROXIES'],
    ['PURSER_SMTP_URL', 'SMTP_URL'],
    ['PURSER_PORT', 'PORT'],
    ['PURSER_SECRETS_FILE', 'PURSER_SECRET_FILE'],
  ])('%s is named, with %s', (name, near) => {
    expect(readConfig([], { [name]: 'x' }).warnings).toEqual([
      `Warning: ${name} is no setting of Purser and has no effect. Is ${near} meant?`,
    ]);
  });

  test('is named with what is missing because of it', () => {
    const [, missing, unknown] = refusal({ PURSER_MASTERKEY: SECRET }, ['--production']);
    expect(missing).toContain('without PURSER_URL, PURSER_SECRET, PURSER_MASTER_KEY,');
    expect(unknown).toContain('Is PURSER_MASTER_KEY meant?');
    expect(unknown).not.toContain(SECRET);
  });

  test('is named alone where no setting is near', () => {
    expect(readConfig([], { PURSER_ENTIRELY_DIFFERENT: 'x' }).warnings).toEqual([
      'Warning: PURSER_ENTIRELY_DIFFERENT is no setting of Purser and has no effect.',
    ]);
  });

  test("is not named if it is empty, another program's, or of Kubernetes", () => {
    const environment = {
      PURSER_BACKUP: '',
      PURSER_NODE_FLAGS: '--max-semi-space-size=16',
      PURSER_SERVICE_HOST: '10.0.0.1',
      PURSER_PORT: 'tcp://10.0.0.1:80',
      PURSER_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(readConfig([], environment).warnings).toEqual([]);
  });
});
