import { createPrivateKey } from 'node:crypto';
import { StartError } from '#server/lib/start-error.ts';
import type { FormerKey } from '#server/modules/ledger/index.ts';
import type { MasterKey } from '#server/vault/keys.ts';

const SECRET_MIN_LENGTH = 32;
const MASTER_KEY_BYTES = 32;
const METRICS_TOKEN_MIN_LENGTH = 20;

/** With commas between; base 64 has none. */
export function readSecrets(text: string): readonly string[] {
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
export function readLedgerKey(name: string, pem: string): string {
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
export function readFormerKeys(text: string): readonly FormerKey[] {
  return text.split(',').map((pair) => {
    const [, publicKey, lastHeight] = /^([0-9a-f]{64}):(\d{1,15})$/.exec(pair.trim()) ?? [];
    if (publicKey !== undefined && lastHeight !== undefined) {
      return { publicKey, lastHeight: BigInt(lastHeight) };
    }
    throw new StartError(
      `PURSER_LEDGER_FORMER_KEYS has "${pair.trim()}"; list public keys, each as 64 hexadecimal digits, a colon and the last block it signed.`,
    );
  });
}

/** Token of a scraper. */
export function readMetricsToken(token: string, isProduction: boolean): string {
  if (!isProduction || token.length >= METRICS_TOKEN_MIN_LENGTH) {
    return token;
  }
  throw new StartError(
    'PURSER_METRICS_TOKEN has to be at least 20 characters; make one with "openssl rand -base64 32".',
  );
}

/** Public keys of age, with commas between. Never repeats one: it may be the private key. */
export function readBackupKeys(text: string): readonly string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.every((key) => /^age1[a-z0-9]{20,}$/.test(key))) return keys;
  throw new StartError(
    /AGE-SECRET-KEY/i.test(text)
      ? 'PURSER_BACKUP_KEY is a private key, which must not be on this machine; set the public one, which begins with age1.'
      : 'PURSER_BACKUP_KEY has something that is no public key of age; one begins with age1.',
  );
}
