import { existsSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { emailRule } from '#contract/email.ts';
import { problemOf } from '#contract/rules.ts';
import { StartError } from '#server/lib/start-error.ts';
import { readBucketAddress, readS3Address } from '#server/providers/files/s3-address.ts';

const POSTGRES = ['postgres:', 'postgresql:'];

/** @throws {StartError} which never repeats what was given: it may hold a password */
function readUrl(name: string, text: string, protocols: readonly string[]): URL {
  if (/\s/.test(text)) {
    throw new StartError(`${name} has a space in it; write %20 for one that belongs there.`);
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  // PostgreSQL's may name a socket: postgresql:///purser?host=/run/postgresql.
  const hasHost = protocols === POSTGRES || url?.hostname !== '';
  if (url !== null && hasHost && protocols.includes(url.protocol)) return url;
  throw new StartError(`${name} is not an address that begins with ${protocols.join('// or ')}//.`);
}

/** `postgresql://…`. */
export function readDatabaseUrl(text: string): string {
  readUrl('DATABASE_URL', text, POSTGRES);
  return text;
}

/** URL of a replica of that database. */
export function readReplicaUrl(text: string, databaseUrl: string | null): string {
  readUrl('PURSER_REPLICA_URL', text, POSTGRES);
  if (databaseUrl === null) {
    throw new StartError(
      'PURSER_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.',
    );
  }
  if (text === databaseUrl) {
    throw new StartError(
      'PURSER_REPLICA_URL is the same as DATABASE_URL; name a replica, or leave it out.',
    );
  }
  return text;
}

/** `s3://bucket?region=…`. */
export function readFiles(text: string): string {
  readUrl('PURSER_FILES', text, ['s3:']);
  readBucketAddress(text, 'PURSER_FILES');
  return text;
}

/** Mail carries links that sign people in: in production it goes encrypted or not at all. */
export function readSmtpUrl(text: string, isProduction: boolean): string {
  const { protocol, searchParams } = readUrl('SMTP_URL', text, ['smtp:', 'smtps:']);
  if (!isProduction) return text;
  const isLoose =
    searchParams.get('ignoreTLS') === 'true' ||
    [...searchParams].some(
      ([name, value]) => name.endsWith('rejectUnauthorized') && value !== 'true',
    );
  if (isLoose) {
    throw new StartError('SMTP_URL switches TLS off, or takes any certificate; leave that out.');
  }
  if (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true') return text;
  throw new StartError(
    'SMTP_URL has to begin with smtps:// in production, or to end with ?requireTLS=true for a server that speaks STARTTLS.',
  );
}

/** An address, or a name with one: `Tallis & Reed <payroll@example.com>`. */
export function readMailFrom(text: string): string {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
  if (problemOf(emailRule, inBrackets ?? text) !== undefined) {
    throw new StartError(
      `MAIL_FROM is "${text}", which is no e-mail address; set one such as Tallis & Reed <payroll@example.com>.`,
    );
  }
  // These separate addresses, in a name without quotes (RFC 5322, 3.2.3).
  if (!/^\s*(?:"[^"]*"|[^",:;@]*)\s*$/.test(name)) {
    throw new StartError(
      `MAIL_FROM is "${text}"; put a name with a comma, a colon or an @ in quotes: "Tallis, Reed" <payroll@example.com>.`,
    );
  }
  return text;
}

/** Origin of the public address. */
export function readPublicUrl(text: string): string {
  const url = readUrl('PURSER_URL', text, ['http:', 'https:']);
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

/** An address, or the absolute path of a file. */
export function readLedgerRoots(text: string): string {
  if (!text.includes('://')) return readRootsFile(resolve(text));
  const url = readUrl('PURSER_LEDGER_ROOTS', text, ['s3:', 'https:']);
  if (url.protocol === 's3:') readS3Address(text, 'PURSER_LEDGER_ROOTS');
  else if (url.username !== '') {
    throw new StartError(
      'PURSER_LEDGER_ROOTS holds a name or password; put a token into its path.',
    );
  }
  return text;
}

/** The folder is not made: on a disk that is not mounted, roots would begin again in another place. */
function readRootsFile(path: string): string {
  if (!existsSync(dirname(path))) {
    throw new StartError(
      `PURSER_LEDGER_ROOTS names a file in ${dirname(path)}, which is not there; mount its disk, or make the folder.`,
    );
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  throw new StartError(`PURSER_LEDGER_ROOTS is the folder ${path}; name a file in it.`);
}

/** Addresses or networks in CIDR notation, with commas between. */
export function readTrustedProxies(text: string, isProduction: boolean): BlockList {
  const proxies = new BlockList();
  for (const entry of text.split(',')) {
    const [address = '', prefix, ...more] = entry.trim().split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? null : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    const maxBits = family === 4 ? 32 : 128;
    if (family === 0 || more.length > 0 || (bits !== null && !(bits <= maxBits))) {
      throw new StartError(
        `PURSER_TRUSTED_PROXIES has "${entry.trim()}"; list addresses or networks such as 10.0.0.0/8.`,
      );
    }
    // No private network is wider than 10.0.0.0/8 and fc00::/7.
    if (isProduction && bits !== null && bits < (family === 4 ? 8 : 7)) {
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
