import { createPrivateKey } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { StartError } from '#server/lib/start-error.ts';

interface Secret {
  /** The setting that holds it. */
  name: string;
  /** As bytes where it stands for some, so that one secret in two forms is found. */
  value: Buffer;
  /** In how many bytes deflate writes it at least, if it is random: what repeats takes less. */
  minDeflated: number;
  /** Random bytes are not all letters; a text in base 64 is. */
  isText: boolean;
}

type Read = (name: string) => string | null;

const KEY_BYTES = 32;
/** Placeholders that people put where a secret is still to be made. No random one holds any of them. */
const PLACEHOLDER = /secret|change.?me|password|example|default|replace|production|purser/i;

/**
 * Refuses secrets of a production start that are equal, or that nobody made at random. One that leaks is
 * to open one door; one that can be guessed opens all. Their form was checked before.
 *
 * @throws {StartError} naming the settings, never their values
 */
export function refuseWeakSecrets(read: Read): void {
  const secrets = [...textSecrets(read), ...masterKeys(read), ...ledgerKeys(read)];
  for (const [index, secret] of secrets.entries()) {
    const same = secrets.slice(0, index).find((other) => other.value.equals(secret.value));
    if (same !== undefined) throw new StartError(sameSentence(same.name, secret.name));
    if (!looksRandom(secret)) {
      throw new StartError(
        `${secret.name} can be guessed; make a random one as docs/operating.md says ("Settings").`,
      );
    }
  }
}

function sameSentence(one: string, other: string): string {
  return one === other
    ? `${one} holds one secret twice.`
    : `${other} is the same as ${one}; make one for each.`;
}

function textSecrets(read: Read): Secret[] {
  const settings = [
    { name: 'PURSER_SECRET', minDeflated: 24 },
    { name: 'PURSER_METRICS_TOKEN', minDeflated: 16 },
  ];
  return settings.flatMap(({ name, minDeflated }) => {
    const texts = read(name)?.split(',') ?? [];
    return texts.map((text) => {
      const value = decoded(text.trim()) ?? Buffer.from(text.trim());
      return { name, minDeflated, value, isText: true };
    });
  });
}

function masterKeys(read: Read): Secret[] {
  const pairs = read('PURSER_MASTER_KEY')?.split(',') ?? [];
  return pairs.map((pair) => ({
    name: 'PURSER_MASTER_KEY',
    value: Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64'),
    minDeflated: KEY_BYTES,
    isText: false,
  }));
}

function ledgerKeys(read: Read): Secret[] {
  return ['PURSER_LEDGER_KEY', 'PURSER_LEDGER_NEXT_KEY'].flatMap((name) => {
    const pem = read(name);
    if (pem === null) return [];
    const { d = '' } = createPrivateKey(pem.replaceAll(String.raw`\n`, '\n')).export({
      format: 'jwk',
    });
    return [{ name, value: Buffer.from(d, 'base64url'), minDeflated: KEY_BYTES, isText: false }];
  });
}

/** 32 bytes in base 64 or hexadecimal, as `openssl rand` prints them. */
function decoded(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function looksRandom({ value, minDeflated, isText }: Secret): boolean {
  const bytes = [...value];
  const isPrintable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  if (isPrintable && (!isText || PLACEHOLDER.test(value.toString('latin1')))) return false;
  const steps = bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return new Set(steps).size >= 8 && deflateRawSync(value, { level: 9 }).length >= minDeflated;
}
