import { createHmac, hkdfSync } from 'node:crypto';
import { StartError } from '#server/lib/start-error.ts';
import { decrypt, encrypt, KEY_BYTES } from './cipher.ts';
import type { LookupHash } from './vault.ts';

/** Encrypts the data keys. Its id is kept beside what it encrypted. */
export interface MasterKey {
  id: string;
  /** 32 random bytes. */
  key: Buffer;
}

/** The master keys at hand: the first is current, the others only open what is older. */
export class KeyRing {
  readonly current: MasterKey;
  readonly #keys: ReadonlyMap<string, MasterKey>;
  readonly #lookupKeys = new Map<string, Buffer>();

  /** @throws StartError on no key, a key of the wrong length, or one id twice */
  constructor(masterKeys: readonly MasterKey[]) {
    const [current] = masterKeys;
    if (current === undefined) throw new StartError('No master key is configured; give one.');
    this.current = current;
    this.#keys = new Map(masterKeys.map((master) => [master.id, master]));
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
  }

  get ids(): string[] {
    return [...this.#keys.keys()];
  }

  /** Encrypts a person's data key under the current master key. */
  wrap(userId: string, dataKey: Buffer): { masterKeyId: string; wrappedKey: Buffer } {
    const { id, key } = this.current;
    return { masterKeyId: id, wrappedKey: encrypt(key, wrapContext(userId, id), dataKey) };
  }

  /** @throws StartError when the master key is not at hand, SealBrokenError when it does not fit */
  unwrap(userId: string, masterKeyId: string, wrappedKey: Uint8Array): Buffer {
    const master = this.#keys.get(masterKeyId);
    if (master === undefined) throw unknownKey(masterKeyId);
    return decrypt(master.key, wrapContext(userId, masterKeyId), wrappedKey);
  }

  /** HMAC-SHA256 under a key derived (HKDF, RFC 5869) from each master key; current first. */
  lookupHashes(purpose: string, value: string): LookupHash[] {
    return [...this.#keys.values()].map((master) => this.#lookupHash(master, purpose, value));
  }

  lookupHash(purpose: string, value: string): LookupHash {
    return this.#lookupHash(this.current, purpose, value);
  }

  #lookupHash(master: MasterKey, purpose: string, value: string): LookupHash {
    const name = JSON.stringify([master.id, purpose]);
    let key = this.#lookupKeys.get(name);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', master.key, '', `purser lookup ${purpose}`, KEY_BYTES));
      this.#lookupKeys.set(name, key);
    }
    return { hash: createHmac('sha256', key).update(value).digest(), keyId: master.id };
  }
}

/** What to say when something is encrypted under a master key that nobody gave us. */
export function unknownKey(masterKeyId: string): StartError {
  return new StartError(
    `The database holds data encrypted under master key ${masterKeyId}, which is not configured; add it to the master keys.`,
  );
}

function wrapContext(userId: string, masterKeyId: string): readonly string[] {
  return ['data_key', userId, masterKeyId];
}
