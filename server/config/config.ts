import { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { READS_PER_MINUTE } from '#contract/limits.ts';
import { StartError } from '#server/lib/start-error.ts';
import {
  readDatabaseUrl,
  readFiles,
  readLedgerRoots,
  readMailFrom,
  readPublicUrl,
  readReplicaUrl,
  readSmtpUrl,
  readTrustedProxies,
} from './addresses.ts';
import { unknownNameWarnings } from './names.ts';
import type { SettingName } from './names.ts';
import { gatherProblems } from './problems.ts';
import { addMissing, addUnsafe, productionWarnings } from './production.ts';
import { withSecretFiles } from './secret-files.ts';
import {
  parseMasterKeys,
  readBackupKeys,
  readFormerKeys,
  readLedgerKey,
  readMetricsToken,
  readSecrets,
} from './secrets.ts';
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
const DEFAULT_BACKUP_DAYS = 30;
const FLAGS: Readonly<Record<string, Mode>> = {
  '--demo': 'demo',
  '--empty': 'empty',
  '--production': 'production',
};

/** Settings that may have several lines: a PEM has. */
const PEMS: readonly string[] = ['PURSER_LEDGER_KEY', 'PURSER_LEDGER_NEXT_KEY'];

/**
 * Reads the command line and the environment, once. An empty variable counts as missing.
 *
 * @throws StartError naming all that is wrong or missing, in one message
 */
export function readConfig(flags: readonly string[], environment: Environment): Config {
  const mode = readMode(flags);
  const isProduction = mode === 'production';
  const problems = gatherProblems();
  const unknown = unknownNameWarnings(environment);
  const warnings = [...unknown];
  const warn = (sentence: string) => void warnings.push(sentence);
  const settings = withSecretFiles(environment, { isProduction, problems, warn });
  const textOf = (name: string) => (problems.has(name) ? null : settings[name]?.trim() || null);
  const take = <T>(name: SettingName, read: (text: string) => T): T | null => {
    const text = textOf(name);
    if (text === null) return null;
    return problems.attempt(name, () => {
      refuseControls(name, text);
      return read(text);
    });
  };
  if (isProduction) addMissing(textOf, problems);
  const dataDir = resolve(take('PURSER_DATA', String) ?? 'data');
  const databaseUrl = take('DATABASE_URL', readDatabaseUrl);
  const config: Config = {
    mode,
    port: take('PORT', readPort) ?? DEFAULT_PORT,
    // The demo's password is published, and an empty company's first admin is whoever comes first:
    // both stay on this machine unless asked to show themselves.
    host: take('PURSER_HOST', String) ?? (isProduction ? null : '127.0.0.1'),
    dataDir,
    databaseUrl,
    replicaUrl: take('PURSER_REPLICA_URL', (text) => readReplicaUrl(text, textOf('DATABASE_URL'))),
    files: take('PURSER_FILES', readFiles),
    smtpUrl: take('SMTP_URL', (text) => readSmtpUrl(text, isProduction)),
    mailFrom: take('MAIL_FROM', readMailFrom),
    publicUrl: take('PURSER_URL', readPublicUrl),
    secrets: take('PURSER_SECRET', readSecrets),
    masterKeys: take('PURSER_MASTER_KEY', parseMasterKeys),
    ledgerKey: take('PURSER_LEDGER_KEY', (pem) => readLedgerKey('PURSER_LEDGER_KEY', pem)),
    ledgerNextKey: take('PURSER_LEDGER_NEXT_KEY', (pem) =>
      readLedgerKey('PURSER_LEDGER_NEXT_KEY', pem),
    ),
    ledgerFormerKeys: take('PURSER_LEDGER_FORMER_KEYS', readFormerKeys) ?? [],
    ledgerRoots: take('PURSER_LEDGER_ROOTS', readLedgerRoots),
    backupKeys: take('PURSER_BACKUP_KEY', readBackupKeys) ?? [],
    backups: resolve(take('PURSER_BACKUPS', String) ?? join(dataDir, 'backups')),
    backupDays: take('PURSER_BACKUP_DAYS', readBackupDays) ?? DEFAULT_BACKUP_DAYS,
    trustedProxies:
      take('PURSER_TRUSTED_PROXIES', (text) => readTrustedProxies(text, isProduction)) ??
      new BlockList(),
    metricsToken: take('PURSER_METRICS_TOKEN', (text) => readMetricsToken(text, isProduction)),
    readsPerMinute: take('PURSER_READS_PER_MINUTE', readReads) ?? READS_PER_MINUTE,
    logLevel: take('LOG_LEVEL', readLogLevel) ?? 'info',
    warnings,
  };
  if (isProduction) addUnsafe(textOf, problems);
  problems.refuse(unknown);
  if (isProduction) productionWarnings(textOf).forEach(warn);
  return config;
}

/** The command line's `--demo`, `--empty` or `--production`. */
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

/** @throws {StartError} for a value of several lines, or with a byte that no setting has */
function refuseControls(name: string, text: string): void {
  const isPem = PEMS.includes(name);
  if (!/\p{Cc}/u.test(isPem ? text.replaceAll(/[\r\n]/g, '') : text)) return;
  throw new StartError(
    `${name} has a line break or another control character in it; write it in one line.`,
  );
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new StartError(`PORT is "${text}"; set a number from 1 to 65535, or 0 for any free port.`);
}

function readBackupDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new StartError(`PURSER_BACKUP_DAYS is "${text}"; set a number of days, from 1 to 99999.`);
}

function readReads(text: string): number {
  if (/^[1-9]\d{1,8}$/.test(text)) return Number(text);
  throw new StartError(`PURSER_READS_PER_MINUTE is "${text}"; set a number of 10 or more.`);
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new StartError(`LOG_LEVEL is "${text}"; it can be ${LOG_LEVELS.join(', ')}.`);
}
