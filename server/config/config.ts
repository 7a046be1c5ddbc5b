import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { READS_PER_MINUTE } from '#contract/limits.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { productionWarnings, refuseMissing, refuseUnsafe } from './production.ts';
import type { MasterKey } from '#server/vault/keys.ts';
import type { FormerKey } from '#server/modules/ledger/index.ts';

/**
 * `demo` makes the demo company on its first start, `empty` starts blank; both make their secrets
 * in the data folder. `production` takes everything from the environment and makes nothing up.
 */
export type Mode = 'demo' | 'empty' | 'production';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  mode: Mode;
  port: number;
  /** The address to listen on; null is every one this machine has. */
  host: string | null;
  /** Absolute. */
  dataDir: string;
  /** Null: the embedded PostgreSQL in the data folder. */
  databaseUrl: string | null;
  /** A streaming replica of that database, for reads that may be late. Null: all reads go to the primary. */
  replicaUrl: string | null;
  /** `s3://bucket?region=…`. Null: images are kept, encrypted, in the data folder. */
  files: string | null;
  /** Null: mail is kept in the data folder. Never null in production. */
  smtpUrl: string | null;
  /** The sender of mail, `Tallis & Reed <payroll@example.com>`. Null: `purser@` the public host. */
  mailFrom: string | null;
  /**
   * Public address of Purser, without a closing slash: links in mail, Origin check, cookies. Null:
   * localhost and the port. Never null in production.
   */
  publicUrl: string | null;
  /** The first signs sessions, the others are still accepted. Null: made in the data folder. */
  secrets: readonly string[] | null;
  /** The first encrypts what is new. Null: made in the data folder. */
  masterKeys: readonly MasterKey[] | null;
  /** PEM of the Ed25519 key that signs the ledger's blocks. Null: made in the data folder. */
  ledgerKey: string | null;
  /** PEM of the key that the chain is, or is to be, handed over to. */
  ledgerNextKey: string | null;
  /** Keys that signed earlier blocks, and are trusted for those alone. */
  ledgerFormerKeys: readonly FormerKey[];
  /**
   * Target of exported roots of blocks: an absolute path, `s3://bucket/folder?region=…` or
   * `https://…`. Null: a file in the data folder.
   */
  ledgerRoots: string | null;
  /** Public keys of age that backups of the embedded database are encrypted for. */
  backupKeys: readonly string[];
  /** Folder of the backups. Absolute. */
  backups: string;
  /** Age from which a backup is deleted. */
  backupDays: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: BlockList;
  /** Lets a scraper read /metrics with `Authorization: Bearer`. Null: nobody may. */
  metricsToken: string | null;
  /** Reads that one person may send to one process within a minute. */
  readsPerMinute: number;
  logLevel: LogLevel;
  /** Sentences for whoever starts it. */
  warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 3000;
const SECRET_MIN_LENGTH = 32;
const MASTER_KEY_BYTES = 32;
const METRICS_TOKEN_MIN_LENGTH = 20;
const FLAGS: Readonly<Record<string, Mode>> = {
  '--demo': 'demo',
  '--empty': 'empty',
  '--production': 'production',
};

/**
 * Reads the command line and the environment, once. An empty variable counts as missing.
 *
 * @throws StartError naming what is wrong; in production everything missing in one message
 */
export function readConfig(flags: readonly string[], environment: Environment): Config {
  const mode = readMode(flags);
  const settings = withSecretFiles(environment);
  const read = (name: string) => settings[name]?.trim() || null;
  if (mode === 'production') refuseMissing(read);
  const masterKeys = read('PURSER_MASTER_KEY');
  const dataDir = resolve(read('PURSER_DATA') ?? 'data');
  const config: Config = {
    mode,
    port: readPort(read('PORT')),
    // The demo's password is published, and an empty company's first admin is whoever comes first:
    // both stay on this machine unless asked to show themselves.
    host: read('PURSER_HOST') ?? (mode === 'production' ? null : '127.0.0.1'),
    dataDir,
    databaseUrl: readUrl('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:']),
    replicaUrl: readReplicaUrl(read('PURSER_REPLICA_URL'), read('DATABASE_URL')),
    files: readUrl('PURSER_FILES', read('PURSER_FILES'), ['s3:']),
    smtpUrl: readSmtpUrl(mode, read('SMTP_URL')),
    mailFrom: read('MAIL_FROM'),
    publicUrl: readPublicUrl(read('PURSER_URL')),
    secrets: readSecrets(read('PURSER_SECRET')),
    masterKeys: masterKeys === null ? null : parseMasterKeys(masterKeys),
    ledgerKey: readLedgerKey('PURSER_LEDGER_KEY', read('PURSER_LEDGER_KEY')),
    ledgerNextKey: readLedgerKey('PURSER_LEDGER_NEXT_KEY', read('PURSER_LEDGER_NEXT_KEY')),
    ledgerFormerKeys: readFormerKeys(read('PURSER_LEDGER_FORMER_KEYS')),
    ledgerRoots: readLedgerRoots(read('PURSER_LEDGER_ROOTS')),
    backupKeys:
      read('PURSER_BACKUP_KEY')
        ?.split(',')
        .map((key) => key.trim()) ?? [],
    backups: resolve(read('PURSER_BACKUPS') ?? join(dataDir, 'backups')),
    backupDays: readBackupDays(read('PURSER_BACKUP_DAYS')),
    trustedProxies: readTrustedProxies(mode, read('PURSER_TRUSTED_PROXIES')),
    metricsToken: readMetricsToken(mode, read('PURSER_METRICS_TOKEN')),
    readsPerMinute: readReads(read('PURSER_READS_PER_MINUTE')),
    logLevel: readLogLevel(read('LOG_LEVEL')),
    warnings: mode === 'production' ? productionWarnings(read) : [],
  };
  if (mode === 'production') refuseUnsafe(read);
  return config;
}

/** Settings that `NAME_FILE` may name a file of, as systemd and container engines pass secrets on. */
const MAY_BE_FILES = [
  'DATABASE_URL',
  'PURSER_LEDGER_KEY',
  'PURSER_LEDGER_NEXT_KEY',
  'PURSER_MASTER_KEY',
  'PURSER_METRICS_TOKEN',
  'PURSER_REPLICA_URL',
  'PURSER_SECRET',
  'SMTP_URL',
];

/**
 * The environment with the content of each secret's file under the secret's own name.
 *
 * @throws StartError for a file that cannot be read or is empty, and for a secret that is given in both ways
 */
function withSecretFiles(environment: Environment): Environment {
  const read = MAY_BE_FILES.flatMap((name): [string, string][] => {
    const path = environment[`${name}_FILE`]?.trim();
    if (!path) return [];
    if (environment[name]?.trim()) {
      throw new StartError(`${name} and ${name}_FILE are both set; leave one of them out.`);
    }
    return [[name, readSecretFile(`${name}_FILE`, path)]];
  });
  return { ...environment, ...Object.fromEntries(read) };
}

function readSecretFile(name: string, path: string): string {
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    throw new StartError(`${name} names ${path}, which cannot be read (${errorCode(error)}).`, {
      cause: error,
    });
  }
  throw new StartError(`${name} names ${path}, which is empty.`);
}

function readMode(flags: readonly string[]): Mode {
  const unknown = flags.find((flag) => !(flag in FLAGS));
  if (unknown !== undefined) {
    throw new StartError(
      `${unknown} is not an option of Purser; it knows ${Object.keys(FLAGS).join(', ')}.`,
    );
  }
  if (flags.length > 1) throw new StartError(`${flags.join(' and ')} cannot be used together.`);
  return FLAGS[flags[0] ?? '--demo'] ?? 'demo';
}

function readPort(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT is "${text}"; set a number from 1 to 65535, or 0 for any free port.`);
}

function readBackupDays(text: string | null): number {
  const days = /^[1-9]\d{0,4}$/.test(text ?? '30') ? Number(text ?? 30) : NaN;
  if (!Number.isNaN(days)) return days;
  throw new StartError(`PURSER_BACKUP_DAYS is "${text}"; set a number of days, 1 or more.`);
}

function readReads(text: string | null): number {
  const reads = /^[1-9]\d{1,8}$/.test(text ?? '') ? Number(text) : READS_PER_MINUTE;
  if (text === null || String(reads) === text) return reads;
  throw new StartError(`PURSER_READS_PER_MINUTE is "${text}"; set a number of 10 or more.`);
}

function readUrl(name: string, text: string | null, protocols: readonly string[]): string | null {
  if (text === null) return null;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  throw new StartError(`${name} is not an address that begins with ${protocols.join('// or ')}//.`);
}

function readReplicaUrl(text: string | null, databaseUrl: string | null): string | null {
  const url = readUrl('PURSER_REPLICA_URL', text, ['postgres:', 'postgresql:']);
  if (url === null) return null;
  if (databaseUrl === null) {
    throw new StartError(
      'PURSER_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.',
    );
  }
  if (url === databaseUrl) {
    throw new StartError(
      'PURSER_REPLICA_URL is the same as DATABASE_URL; name a replica, or leave it out.',
    );
  }
  return url;
}

/** Mail carries links that sign people in: in production it goes encrypted or not at all. */
function readSmtpUrl(mode: Mode, text: string | null): string | null {
  const url = readUrl('SMTP_URL', text, ['smtp:', 'smtps:']);
  if (url === null || mode !== 'production') return url;
  const { protocol, searchParams } = new URL(url);
  const isLoose =
    searchParams.get('ignoreTLS') === 'true' ||
    [...searchParams].some(
      ([name, value]) => name.endsWith('rejectUnauthorized') && value !== 'true',
    );
  if (isLoose) {
    throw new StartError('SMTP_URL switches TLS off, or takes any certificate; leave that out.');
  }
  if (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true') return url;
  throw new StartError(
    'SMTP_URL has to begin with smtps:// in production, or to end with ?requireTLS=true for a server that speaks STARTTLS.',
  );
}

function readMetricsToken(mode: Mode, token: string | null): string | null {
  if (token === null || mode !== 'production' || token.length >= METRICS_TOKEN_MIN_LENGTH) {
    return token;
  }
  throw new StartError(
    'PURSER_METRICS_TOKEN has to be at least 20 characters; make one with "openssl rand -base64 32".',
  );
}

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  readUrl('PURSER_URL', text, ['http:', 'https:']);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new StartError(
      'PURSER_URL holds a name or password, which every link would have; leave it out.',
    );
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new StartError('PURSER_URL has to be an address without a path.');
  }
  return url.origin;
}

/** With commas between; base 64 has none. */
function readSecrets(text: string | null): readonly string[] | null {
  if (text === null) return null;
  const secrets = text.split(',').map((secret) => secret.trim());
  if (secrets.every((one) => one.length >= SECRET_MIN_LENGTH && new Set(one).size >= 10)) {
    return secrets;
  }
  throw new StartError(
    'PURSER_SECRET has to be at least 32 random characters; make one with "openssl rand -base64 32".',
  );
}

/**
 * `id:base64` pairs with commas between; the first encrypts what is new, the others still open what
 * is older.
 *
 * @throws StartError, which never repeats what was given, since it is a secret
 */
export function parseMasterKeys(text: string): readonly MasterKey[] {
  const keys = text.split(',').map((pair) => parseMasterKey(pair.trim()));
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new StartError('PURSER_MASTER_KEY names one key id twice.');
  }
  if (new Set(keys.map(({ key }) => key.toString('hex'))).size < keys.length) {
    throw new StartError('PURSER_MASTER_KEY names one key under two ids.');
  }
  return keys;
}

function parseMasterKey(pair: string): MasterKey {
  const match = /^([\w-]{1,40}):([A-Za-z0-9+/]{43}=)$/.exec(pair);
  const key = Buffer.from(match?.[2] ?? '', 'base64');
  const isRandom = new Set(key).size >= 12;
  if (match?.[1] !== undefined && key.length === MASTER_KEY_BYTES && isRandom) {
    return { id: match[1], key };
  }
  throw new StartError(
    'PURSER_MASTER_KEY has to be a name, a colon and 32 random bytes in base64, such as "2026:$(openssl rand -base64 32)".',
  );
}

/** A PEM; `\n` may stand for its line ends, since many places that keep settings allow none. */
function readLedgerKey(name: string, pem: string | null): string | null {
  if (pem === null) return null;
  try {
    const key = createPrivateKey(pem.replaceAll(String.raw`\n`, '\n'));
    if (key.asymmetricKeyType === 'ed25519') return pem;
  } catch {
    // Reported below: the fault's own words could repeat the key.
  }
  throw new StartError(
    `${name} has to be an Ed25519 private key in PEM; make one with "openssl genpkey -algorithm ed25519".`,
  );
}

/** `public key as hex:last block` pairs with commas between. */
function readFormerKeys(text: string | null): readonly FormerKey[] {
  return (text?.split(',') ?? []).map((pair) => {
    const [, publicKey, lastHeight] = /^([0-9a-f]{64}):(\d{1,15})$/.exec(pair.trim()) ?? [];
    if (publicKey !== undefined && lastHeight !== undefined) {
      return { publicKey, lastHeight: BigInt(lastHeight) };
    }
    throw new StartError(
      `PURSER_LEDGER_FORMER_KEYS has "${pair.trim()}"; list public keys, each as 64 hexadecimal digits, a colon and the last block it signed.`,
    );
  });
}

/** A path where it is no address. */
function readLedgerRoots(text: string | null): string | null {
  if (text === null) return null;
  if (!text.includes('://')) return resolve(text);
  const url = readUrl('PURSER_LEDGER_ROOTS', text, ['s3:', 'https:']);
  if (url?.startsWith('https:') && new URL(url).username !== '') {
    throw new StartError(
      'PURSER_LEDGER_ROOTS holds a name or password; put a token into its path.',
    );
  }
  return url;
}

/** Addresses or networks in CIDR notation, with commas between. */
function readTrustedProxies(mode: Mode, text: string | null): BlockList {
  const proxies = new BlockList();
  for (const entry of text?.split(',') ?? []) {
    const [address = '', prefix] = entry.trim().split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? null : Number(prefix);
    const maxBits = family === 4 ? 32 : 128;
    if (family === 0 || (bits !== null && !(bits >= 0 && bits <= maxBits))) {
      throw new StartError(
        `PURSER_TRUSTED_PROXIES has "${entry.trim()}"; list addresses or networks such as 10.0.0.0/8.`,
      );
    }
    // No private network is wider than 10.0.0.0/8 and fc00::/7.
    if (mode === 'production' && bits !== null && bits < (family === 4 ? 8 : 7)) {
      throw new StartError(
        `PURSER_TRUSTED_PROXIES has "${entry.trim()}", which believes everybody; list your proxies.`,
      );
    }
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === null) proxies.addAddress(address, type);
    else proxies.addSubnet(address, bits, type);
  }
  return proxies;
}

function readLogLevel(text: string | null): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text ?? 'info'));
  if (level !== undefined) return level;
  throw new StartError(`LOG_LEVEL is "${text}"; it can be ${LOG_LEVELS.join(', ')}.`);
}
