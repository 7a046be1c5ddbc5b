import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StartError } from '#server/lib/start-error.ts';
import { readConfig } from './config.ts';

const LEDGER_KEY = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

const PRODUCTION = {
  PURSER_URL: 'https://pay.example.com',
  PURSER_SECRET: randomBytes(32).toString('base64'),
  PURSER_MASTER_KEY: `2026:${randomBytes(32).toString('base64')}`,
  PURSER_LEDGER_KEY: LEDGER_KEY.toString().replaceAll('\n', String.raw`\n`),
  SMTP_URL: 'smtps://user:password@mail.example.com',
};

function refusal(flags: readonly string[], environment: Record<string, string>): string {
  try {
    readConfig(flags, environment);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('needs nothing for the demo', () => {
  expect(readConfig([], {})).toMatchObject({
    mode: 'demo',
    port: 3000,
    host: '127.0.0.1',
    dataDir: join(process.cwd(), 'data'),
    databaseUrl: null,
    smtpUrl: null,
    publicUrl: null,
    secrets: null,
    masterKeys: null,
    logLevel: 'info',
  });
  expect(readConfig(['--empty'], { PORT: '' }).mode).toBe('empty');
});

test('knows a replica of its database, and of no other', () => {
  const DATABASE_URL = 'postgresql://purser:abcdefghijklmnop@db1/purser';
  const PURSER_REPLICA_URL = 'postgresql://purser:abcdefghijklmnop@db2/purser';
  expect(readConfig([], {}).replicaUrl).toBeNull();
  // A replica has the passwords of its primary.
  const given = { ...PRODUCTION, DATABASE_URL, PURSER_REPLICA_URL };
  expect(readConfig(['--production'], given).replicaUrl).toBe(PURSER_REPLICA_URL);
  const refused = (environment: Record<string, string>) => refusal([], environment);
  expect(refused({ PURSER_REPLICA_URL })).toContain('needs DATABASE_URL');
  expect(refused({ DATABASE_URL, PURSER_REPLICA_URL: DATABASE_URL })).toContain('is the same');
  expect(refused({ DATABASE_URL, PURSER_REPLICA_URL: 'db2' })).toContain('postgres://');
});

test('knows where roots are exported to, and which keys signed before', () => {
  const rootsOf = (value: string) => readConfig([], { PURSER_LEDGER_ROOTS: value }).ledgerRoots;
  expect(readConfig([], {})).toMatchObject({ ledgerRoots: null, ledgerFormerKeys: [] });
  expect(rootsOf('docs/roots.jsonl')).toBe(join(process.cwd(), 'docs/roots.jsonl'));
  expect(rootsOf('s3://books/roots?region=auto')).toBe('s3://books/roots?region=auto');
  expect(rootsOf('https://example.com/roots/token')).toBe('https://example.com/roots/token');
  const refused = (environment: Record<string, string>) => refusal([], environment);
  expect(refused({ PURSER_LEDGER_ROOTS: 'http://example.com' })).toContain('https://');
  expect(refused({ PURSER_LEDGER_ROOTS: 'https://me:secret@example.com' })).not.toContain(
    'secret@',
  );

  const key = 'ab'.repeat(32);
  const PURSER_LEDGER_FORMER_KEYS = `${key}:812, ${'cd'.repeat(32)}:900`;
  expect(readConfig([], { PURSER_LEDGER_FORMER_KEYS }).ledgerFormerKeys).toEqual([
    { publicKey: key, lastHeight: 812n },
    { publicKey: 'cd'.repeat(32), lastHeight: 900n },
  ]);
  expect(refused({ PURSER_LEDGER_FORMER_KEYS: key })).toContain('the last block it signed');
});

test('reads secrets from files, and names a file that is missing, empty or given twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-secrets-'));
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o400 });
    return path;
  };
  const { PURSER_SECRET, PURSER_MASTER_KEY, ...rest } = PRODUCTION;
  const files = {
    ...rest,
    PURSER_SECRET_FILE: fileOf('secret', `${PURSER_SECRET}\n`),
    PURSER_MASTER_KEY_FILE: fileOf('master', `${PURSER_MASTER_KEY}\n`),
    // As openssl writes it, with its line ends.
    PURSER_LEDGER_KEY: '',
    PURSER_LEDGER_KEY_FILE: fileOf('ledger', LEDGER_KEY.toString()),
  };
  const config = readConfig(['--production'], files);
  expect(config.secrets).toEqual([PURSER_SECRET]);
  expect(config.masterKeys?.[0]?.id).toBe('2026');
  expect(config.ledgerKey).toBe(LEDGER_KEY.toString().trim());
  const refused = (changed: Record<string, string>) =>
    refusal(['--production'], { ...files, ...changed });
  expect(refused({ PURSER_SECRET })).toBe(
    'PURSER_SECRET and PURSER_SECRET_FILE are both set; leave one of them out.',
  );
  expect(refused({ PURSER_SECRET_FILE: join(folder, 'none') })).toMatch(
    /^PURSER_SECRET_FILE names .*none, which cannot be read \(ENOENT\); name a file that the user of the server may read\.$/,
  );
  expect(refused({ PURSER_SECRET_FILE: fileOf('empty', ' \n') })).toContain('which is empty');
  // A secret that is weak in the environment is weak in a file.
  expect(refused({ PURSER_SECRET_FILE: fileOf('weak', 'Kf7zqP0wXy'.repeat(4)) })).toContain(
    'PURSER_SECRET can be',
  );
  rmSync(folder, { recursive: true });
});

test('listens beyond this machine only in production, or where a setting says so', () => {
  expect(readConfig(['--empty'], {}).host).toBe('127.0.0.1');
  expect(readConfig(['--empty'], { PURSER_HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  expect(readConfig(['--production'], PRODUCTION).host).toBeNull();
});

describe('production', () => {
  test('starts with all of its settings', () => {
    const config = readConfig(['--production'], PRODUCTION);
    expect(config).toMatchObject({ mode: 'production', publicUrl: 'https://pay.example.com' });
    expect(config.masterKeys?.[0]?.key).toHaveLength(32);
  });

  test('names everything that is missing in one message', () => {
    expect(refusal(['--production'], {})).toBe(
      'Production does not start without PURSER_URL, PURSER_SECRET, PURSER_MASTER_KEY, PURSER_LEDGER_KEY, SMTP_URL; docs/operating.md says what to set.',
    );
  });

  test.each(Object.keys(PRODUCTION))('does not start without %s', (name) => {
    expect(refusal(['--production'], { ...PRODUCTION, [name]: ' ' })).toContain(`without ${name};`);
  });

  test('reads an older master key in addition to the current one', () => {
    const older = `2025:${randomBytes(32).toString('base64')}`;
    const both = `${PRODUCTION.PURSER_MASTER_KEY}, ${older}`;
    const { masterKeys } = readConfig(['--production'], { ...PRODUCTION, PURSER_MASTER_KEY: both });
    expect(masterKeys?.map(({ id }) => id)).toEqual(['2026', '2025']);
  });
});

describe('refuses', () => {
  const zeros = Buffer.alloc(32).toString('base64');
  test.each<[string, Record<string, string>, string]>([
    ['a port that is none', { PORT: 'http' }, 'PORT is "http"'],
    ['a port too high', { PORT: '65536' }, 'PORT is "65536"'],
    ['a negative port', { PORT: '-1' }, 'PORT is "-1"'],
    ['another database', { DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL'],
    ['a mail server that is none', { SMTP_URL: 'mail.example.com' }, 'SMTP_URL'],
    ['a public address without TLS', { PURSER_URL: 'http://pay.example.com' }, 'https://'],
    ['a public address with a path', { PURSER_URL: 'https://example.com/pay' }, 'without a path'],
    ['a short secret', { PURSER_SECRET: 'changeme' }, 'PURSER_SECRET'],
    ['a secret of one letter', { PURSER_SECRET: 'x'.repeat(64) }, 'PURSER_SECRET'],
    ['a master key without a name', { PURSER_MASTER_KEY: zeros }, 'PURSER_MASTER_KEY'],
    ['a master key of zeros', { PURSER_MASTER_KEY: `a:${zeros}` }, 'PURSER_MASTER_KEY'],
    [
      'one key id twice',
      { PURSER_MASTER_KEY: `${PRODUCTION.PURSER_MASTER_KEY},${PRODUCTION.PURSER_MASTER_KEY}` },
      'twice',
    ],
    ['a ledger key that is none', { PURSER_LEDGER_KEY: 'secret' }, 'PURSER_LEDGER_KEY'],
    ['a proxy by name', { PURSER_TRUSTED_PROXIES: 'proxy.local' }, 'PURSER_TRUSTED_PROXIES'],
    ['a network too wide', { PURSER_TRUSTED_PROXIES: '10.0.0.0/33' }, 'PURSER_TRUSTED_PROXIES'],
    [
      'a number of reads that is none',
      { PURSER_READS_PER_MINUTE: 'many' },
      'PURSER_READS_PER_MINUTE',
    ],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"'],
  ])('%s, in one sentence', (_what, setting, words) => {
    const sentence = refusal(['--production'], { ...PRODUCTION, ...setting });
    expect(sentence).toContain(words);
    expect(sentence).not.toContain('\n');
  });

  test('and never repeats a secret', () => {
    const given = 'not-a-key-but-secret-all-the-same';
    for (const name of ['PURSER_SECRET', 'PURSER_MASTER_KEY', 'PURSER_LEDGER_KEY']) {
      expect(refusal([], { [name]: given.slice(0, 20) })).not.toContain(given.slice(0, 20));
    }
  });

  test('unknown and contradicting flags', () => {
    expect(refusal(['--prod'], {})).toContain('--prod is not an option');
    expect(refusal(['--demo', '--empty'], {})).toBe('--demo and --empty cannot be used together.');
  });
});

/** The bytes of a ledger key: an Ed25519 key in PKCS #8 is this head and 32 of them (RFC 8410, 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const LEDGER_SEED = createPrivateKey(LEDGER_KEY)
  .export({ format: 'der', type: 'pkcs8' })
  .subarray(PKCS8_HEAD.length)
  .toString('base64');
const ZERO_LEDGER_KEY = createPrivateKey({
  key: Buffer.concat([PKCS8_HEAD, Buffer.alloc(32)]),
  format: 'der',
  type: 'pkcs8',
})
  .export({ format: 'pem', type: 'pkcs8' })
  .toString();
const COUNTING = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
const SENTENCE = Buffer.from('our payroll is safe with this key')
  .subarray(0, 32)
  .toString('base64');
const SMTP = 'smtp://mail.example.com:587';

describe('production refuses', () => {
  const key = randomBytes(32).toString('base64');
  test.each<[what: string, changed: Record<string, string>, said: string]>([
    ['any certificate', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED=0'],
    [
      'a password in its address',
      { PURSER_URL: 'https://me:pw@pay.example.com' },
      'PURSER_URL holds',
    ],
    ['its own machine without TLS', { PURSER_URL: 'http://localhost' }, 'PURSER_URL has to begin'],
    [
      'a file store without TLS',
      { PURSER_FILES: 's3://images?region=auto&endpoint=http://minio.internal:9000' },
      'endpoint in PURSER_FILES',
    ],
    ['mail without TLS', { SMTP_URL: 'smtp://mail.example.com' }, 'smtps://'],
    ['a short token for metrics', { PURSER_METRICS_TOKEN: 'x'.repeat(19) }, '20 characters'],
    ['everybody as a proxy', { PURSER_TRUSTED_PROXIES: '0.0.0.0/0' }, 'believes everybody'],
    ['everybody as an IPv6 proxy', { PURSER_TRUSTED_PROXIES: '10.0.0.1, ::/0' }, 'everybody'],
    ['one key under two ids', { PURSER_MASTER_KEY: `a:${key},b:${key}` }, 'under two ids'],
    [
      'half of everybody as a proxy',
      { PURSER_TRUSTED_PROXIES: '0.0.0.0/1, 128.0.0.0/1' },
      'everybody',
    ],
    [
      'mail that switches TLS off',
      { SMTP_URL: `${SMTP}?requireTLS=true&ignoreTLS=true` },
      'TLS off',
    ],
    [
      'mail that takes any certificate',
      { SMTP_URL: `${SMTP}?requireTLS=true&tls.rejectUnauthorized=false` },
      'any certificate',
    ],
    [
      'one secret for two things',
      { PURSER_SECRET: key, PURSER_MASTER_KEY: `a:${key}` },
      'PURSER_MASTER_KEY is the same as PURSER_SECRET',
    ],
    [
      'one secret in two forms',
      { PURSER_SECRET: Buffer.from(key, 'base64').toString('hex'), PURSER_METRICS_TOKEN: key },
      'PURSER_METRICS_TOKEN is the same as PURSER_SECRET',
    ],
    ...(
      [
        ['a web address', (bytes) => bytes.toString('base64url')],
        ['large hexadecimal letters', (bytes) => bytes.toString('hex').toUpperCase()],
        [
          'base 64 of hexadecimal',
          (bytes) => Buffer.from(bytes.toString('hex')).toString('base64'),
        ],
        [
          'hexadecimal of base 64',
          (bytes) => Buffer.from(bytes.toString('base64')).toString('hex'),
        ],
        ['a longer text', (bytes) => `${bytes.toString('base64')}-for-metrics`],
      ] satisfies [string, (bytes: Buffer) => string][]
    ).map(([form, write]): [string, Record<string, string>, string] => [
      `the master key as another secret, in the form of ${form}`,
      { PURSER_MASTER_KEY: `a:${key}`, PURSER_METRICS_TOKEN: write(Buffer.from(key, 'base64')) },
      'PURSER_MASTER_KEY is the same as PURSER_METRICS_TOKEN',
    ]),
    [
      'a secret as the password of the database',
      {
        PURSER_SECRET: key,
        DATABASE_URL: `postgresql://purser:${encodeURIComponent(key)}@db/purser`,
      },
      'DATABASE_URL is the same as PURSER_SECRET',
    ],
    [
      'one password for mail and database',
      { SMTP_URL: 'smtps://a:pw-12@mail', DATABASE_URL: 'postgresql://a:pw-12@db/purser' },
      'SMTP_URL is the same as DATABASE_URL',
    ],
    [
      'the master key as the ledger key',
      { PURSER_MASTER_KEY: `a:${LEDGER_SEED}` },
      'PURSER_LEDGER_KEY is the same as PURSER_MASTER_KEY',
    ],
    [
      'one ledger key as the next',
      { PURSER_LEDGER_NEXT_KEY: PRODUCTION.PURSER_LEDGER_KEY },
      'PURSER_LEDGER_NEXT_KEY is the same as PURSER_LEDGER_KEY',
    ],
    ['a secret that repeats', { PURSER_SECRET: 'Kf7zqP0wXy'.repeat(4) }, 'PURSER_SECRET can be'],
    [
      'a row of letters',
      { PURSER_SECRET: '0123456789abcdefghijklmnopqrstuvwxyz' },
      'can be guessed',
    ],
    ['a placeholder', { PURSER_SECRET: 'change-me-before-9-Zx7-launch-QpLw' }, 'can be guessed'],
    [
      'a token that repeats',
      { PURSER_METRICS_TOKEN: 'x'.repeat(40) },
      'PURSER_METRICS_TOKEN can be',
    ],
    [
      'a master key that counts',
      { PURSER_MASTER_KEY: `a:${COUNTING}` },
      'PURSER_MASTER_KEY can be',
    ],
    [
      'a sentence as a master key',
      { PURSER_MASTER_KEY: `a:${SENTENCE}` },
      'PURSER_MASTER_KEY can be',
    ],
    ['a ledger key of zeros', { PURSER_LEDGER_KEY: ZERO_LEDGER_KEY }, 'PURSER_LEDGER_KEY can be'],
  ])('%s', (_what, changed, said) => {
    expect(refusal(['--production'], { ...PRODUCTION, ...changed })).toContain(said);
  });

  test('no log level and no database, and warns of some', () => {
    const DATABASE_URL = 'postgresql://owner:pw@db/purser';
    const warningsOf = (settings: Record<string, string>) =>
      readConfig(['--production'], { ...PRODUCTION, DATABASE_URL, ...settings }).warnings;
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ LOG_LEVEL: 'debug' })).toEqual([
      expect.stringContaining('LOG_LEVEL is debug'),
    ]);
    expect(warningsOf({ DATABASE_URL: '' })).toEqual([
      expect.stringContaining('the embedded database'),
    ]);
  });

  test('none of what is right', () => {
    const right = {
      SMTP_URL: 'smtp://mail.example.com:587?requireTLS=true',
      PURSER_METRICS_TOKEN: randomBytes(15).toString('base64'),
      PURSER_SECRET: randomBytes(16).toString('hex'),
      PURSER_TRUSTED_PROXIES: '10.0.0.0/8',
    };
    expect(refusal(['--production'], { ...PRODUCTION, ...right })).toBe('accepted');
  });
});
