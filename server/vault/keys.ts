import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { invariant } from '#server/lib/errors.ts';
import { StartError } from '#server/lib/start-error.ts';
import { decrypt, encrypt, KEY_BYTES } from './cipher.ts';
import type { LookupHash } from './vault.ts';

const HASH_BYTES = 32;

/** Key that encrypts the data keys. Its id is stored with each value it encrypted. */
export interface MasterKey {
  id: string;
  /** 32 random bytes. */
  key: Buffer;
}

/** Key of lookup hashes, by the id of the master key that it was derived from. */
export type LookupSecrets = ReadonlyMap<string, Buffer>;

/** The available master keys: the first is current, the others only decrypt older values. */
export class KeyRing {
  readonly current: MasterKey;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  /** Current first. */
  readonly #lookupSecrets: LookupSecrets;
  readonly #lookupKeys = new Map<string, KeyObject>();

  /**
   * @param formerLookups the lookup secrets of master keys that are no longer available
   * @throws StartError on no key, a key of the wrong length, or one id twice
   */
  constructor(masterKeys: readonly MasterKey[], formerLookups: LookupSecrets = new Map()) {
    const [current] = masterKeys;
    if (current === undefined) throw new StartError('No master key is configured; give one.');
    this.current = current;
    this.#keys = new Map(masterKeys.map(({ id, key }) => [id, createSecretKey(key)]));
    if (this.#keys.size !== masterKeys.length) {
      throw new StartError('Two master keys have the same id; give each its own.');
    }
    for (const { id, key } of masterKeys) {
      if (key.length !== KEY_BYTES) {
        throw new StartError(
          `Master key ${id} has ${key.length} bytes; it must have ${KEY_BYTES}.`,
        );
      }
    }
    this.#lookupSecrets = new Map([
      ...masterKeys.map(({ id, key }) => [id, lookupSecretOf(key)] as const),
      ...[...formerLookups].filter(([id]) => !this.#keys.has(id)),
    ]);
  }

  get ids(): string[] {
    return [...this.#keys.keys()];
  }

  /** Encrypts a person's data key under the current master key. */
  wrap(userId: string, dataKey: Buffer): { masterKeyId: string; wrappedKey: Buffer } {
    const { id, key } = this.current;
    return { masterKeyId: id, wrappedKey: encrypt(key, wrapContext(userId, id), dataKey) };
  }

  /**
   * @throws StartError when the master key is not available, SealBrokenError when it does not fit
   */
  unwrap(userId: string, masterKeyId: string, wrappedKey: Uint8Array): Buffer {
    const master = this.#keys.get(masterKeyId);
    if (master === undefined) throw unknownKey(masterKeyId);
    return decrypt(master, wrapContext(userId, masterKeyId), wrappedKey);
  }

  /** Encrypts the lookup secret of the hashes under `id`, under the current master key. */
  wrapLookupSecret(id: string, secret: Buffer): { masterKeyId: string; wrappedSecret: Buffer } {
    const { id: masterKeyId, key } = this.current;
    return { masterKeyId, wrappedSecret: encrypt(key, lookupContext(id, masterKeyId), secret) };
  }

  /**
   * @throws StartError when the master key is not available, SealBrokenError when it does not fit
   */
  unwrapLookupSecret(id: string, masterKeyId: string, wrappedSecret: Uint8Array): Buffer {
    const master = this.#keys.get(masterKeyId);
    if (master === undefined) throw unknownKey(masterKeyId);
    return decrypt(master, lookupContext(id, masterKeyId), wrappedSecret);
  }

  /** Lookup secret of that master key, if it is known. */
  lookupSecret(id: string): Buffer | undefined {
    return this.#lookupSecrets.get(id);
  }

  /** HMAC-SHA256 under a key derived (HKDF, RFC 5869) from each master key; current first. */
  lookupHashes(purpose: string, value: string): LookupHash[] {
    return [...this.#lookupSecrets].map(([id, secret]) => this.#hash(id, secret, purpose, value));
  }

  lookupHash(purpose: string, value: string): LookupHash {
    const { id } = this.current;
    const secret = invariant(this.#lookupSecrets.get(id), 'the current key has its lookup secret');
    return this.#hash(id, secret, purpose, value);
  }

  #hash(id: string, secret: Buffer, purpose: string, value: string): LookupHash {
    const name = JSON.stringify([id, purpose]);
    let key = this.#lookupKeys.get(name);
    if (key === undefined) {
      key = createSecretKey(expand(secret, `purser lookup ${purpose}`));
      this.#lookupKeys.set(name, key);
    }
    return { hash: createHmac('sha256', key).update(value).digest(), keyId: id };
  }
}

/** Error for a value encrypted under a master key that is not configured. */
export function unknownKey(masterKeyId: string): StartError {
  return new StartError(
    `The database holds data encrypted under master key ${masterKeyId}, which is not configured; add it to the master keys.`,
  );
}

/** The first step of HKDF-SHA256 without a salt: it reveals nothing about the master key. */
function lookupSecretOf(masterKey: Buffer): Buffer {
  return createHmac('sha256', Buffer.alloc(HASH_BYTES)).update(masterKey).digest();
}

/** The second step of HKDF-SHA256, for 32 bytes. */
function expand(secret: Buffer, info: string): Buffer {
  return createHmac('sha256', secret).update(info).update(Buffer.of(1)).digest();
}

function lookupContext(id: string, masterKeyId: string): readonly string[] {
  return ['lookup_key', id, masterKeyId];
}

function wrapContext(userId: string, masterKeyId: string): readonly string[] {
  return ['data_key', userId, masterKeyId];
}
