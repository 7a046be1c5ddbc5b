import { createPrivateKey } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

interface Secret {
  /** The setting that holds it. */
  name: string;
  /** As bytes where it stands for some. */
  value: Buffer;
  /** The text that was given, where it is one. */
  text?: string;
  /** In how many bytes deflate writes it at least, if it is random: what repeats takes less. */
  minDeflated: number;
  /** Random bytes are not all letters; a text in base 64 is. */
  isText: boolean;
}

type Read = (name: string) => string | null;

const KEY_BYTES = 32;
/** Least bytes of a secret that another one must not hold: no random ones share as many. */
const SHARED_BYTES = 16;
/** Placeholders that people put where a secret is still to be made. No random one holds any of them. */
const PLACEHOLDER = /secret|change.?me|password|example|default|replace|production|purser/i;

/**
 * Secrets of a production start that are equal, or that nobody made at random, each with a sentence that never has its
 * value. One that leaks is to open one door; one that can be guessed opens all. Their form was checked before.
 */
export function weakSecrets(read: Read): [name: string, sentence: string][] {
  const secrets = [...textSecrets(read), ...masterKeys(read), ...ledgerKeys(read)];
  const guessed = secrets.filter((secret) => !looksRandom(secret));
  return [
    ...shared([...secrets.map(formsOf), ...passwordsIn(read)]),
    ...guessed.map(({ name }): [string, string] => [
      name,
      `${name} can be guessed; make a random one as docs/operating.md says ("Settings").`,
    ]),
  ];
}

/** A setting, and its secret in each form that its text may stand for. */
interface Forms {
  name: string;
  forms: readonly Buffer[];
}

/** Secrets that are another one, or that another one holds, in whatever form. */
function shared(all: readonly Forms[]): [name: string, sentence: string][] {
  return all.flatMap(({ name, forms }, index): [string, string][] => {
    const same = all
      .slice(0, index)
      .find((other) => other.forms.some((one) => forms.some((form) => isShared(one, form))));
    return same === undefined ? [] : [[name, sameSentence(same.name, name)]];
  });
}

function isShared(one: Buffer, other: Buffer): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length < SHARED_BYTES ? short.equals(long) : long.includes(short);
}

function formsOf({ name, value, text }: Secret): Forms {
  if (text !== undefined) return { name, forms: readingsOf(text) };
  const written = [value.toString('base64').replaceAll('=', ''), value.toString('hex')];
  return { name, forms: [value, ...written.map((form) => Buffer.from(form))] };
}

/** A text as bytes, and what it says in base 64 and in hexadecimal, also of a text that was encoded twice. */
function readingsOf(text: string): Buffer[] {
  const given = Buffer.from(text);
  const said = [
    ...(/^(?:[0-9a-f]{2})+$/i.test(text) ? [Buffer.from(text, 'hex')] : []),
    ...(/^[\w+/-]{20,}={0,2}$/.test(text) ? [Buffer.from(text, 'base64')] : []),
  ];
  return [
    given,
    ...said.flatMap((bytes) => [
      bytes,
      ...(isPrintable(bytes) ? readingsOf(bytes.toString()) : []),
    ]),
  ];
}

function isPrintable(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** Passwords within addresses, and the one for a bucket. They are compared alone: others chose them. */
function passwordsIn(read: Read): Forms[] {
  const passwordOf = (name: string) => {
    const address = read(name);
    const password = address !== null && URL.canParse(address) ? new URL(address).password : '';
    return { name, text: decodeURIComponent(password) };
  };
  const database = passwordOf('DATABASE_URL');
  const replica = passwordOf('PURSER_REPLICA_URL');
  const all = [
    database,
    // A replica has the roles of its primary.
    ...(replica.text === database.text ? [] : [replica]),
    passwordOf('SMTP_URL'),
    { name: 'AWS_SECRET_ACCESS_KEY', text: read('AWS_SECRET_ACCESS_KEY') ?? '' },
  ];
  return all.flatMap(({ name, text }) => (text === '' ? [] : [{ name, forms: readingsOf(text) }]));
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
      return { name, minDeflated, value, text: text.trim(), isText: true };
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
  if (isPrintable(value) && (!isText || PLACEHOLDER.test(value.toString('latin1')))) return false;
  const steps = bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return new Set(steps).size >= 8 && deflateRawSync(value, { level: 9 }).length >= minDeflated;
}
