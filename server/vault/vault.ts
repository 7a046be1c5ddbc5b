import type { Reader, Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

/** Place of a sealed value; it is authenticated, so the value cannot be moved elsewhere. */
export interface Place {
  table: string;
  column: string;
  rowId: string;
}

/** A value to seal, and its owner. */
export interface Plain {
  userId: string;
  place: Place;
  plain: Uint8Array | string;
}

/** A value as it is kept, with its person and place. */
export interface Sealed {
  userId: string;
  place: Place;
  sealed: Uint8Array;
}

/** Encryption at rest of sensitive data: account numbers, ID numbers, applications, documents. */
export interface Vault {
  /**
   * AES-256-GCM under the person's data key, which is created on first use.
   *
   * @throws {AppError} `data_destroyed` when it was destroyed
   */
  seal(tx: Tx, userId: string, place: Place, plain: Uint8Array | string): Promise<Buffer>;
  /**
   * The same for many people's values, by two statements however many they are; in their order.
   *
   * @throws {AppError} `data_destroyed` when the key of one of them was destroyed
   */
  sealAll(tx: Tx, values: readonly Plain[]): Promise<Buffer[]>;
  /**
   * Undoes `seal`.
   *
   * @throws {AppError} `data_destroyed` when the person's key was destroyed
   * @throws {SealBrokenError} when the value was changed or moved
   */
  open(reader: Reader, userId: string, place: Place, sealed: Uint8Array): Promise<Buffer>;
  /**
   * Reads what it takes to undo `seal` of many people's values, by one statement however many they are.
   *
   * @returns opens them, in their order, without the database, which can read others meanwhile. Throws as `open`
   */
  openAll(reader: Reader, values: readonly Sealed[]): Promise<() => Buffer[]>;
  /** A keyed hash to find equal values without decrypting any; `purpose` separates uses. */
  lookupHash(purpose: string, value: string): LookupHash;
  /** The same under every available master key, to search by; the current key's is first. */
  lookupHashes(purpose: string, value: string): LookupHash[];
  /**
   * Destroys the person's data key: everything sealed for them is lost for good, and nothing can be
   * sealed for them again. Another process may still decrypt it for a minute.
   */
  destroyKey(tx: Tx, userId: string, at: Date): Promise<void>;
}

/** Result of `open`, or null if the person's key was destroyed. */
export async function unlessDestroyed<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof AppError && error.code === 'data_destroyed') return null;
    throw error;
  }
}

export interface LookupHash {
  hash: Buffer;
  /** Id of the master key it was made under; stored with it. */
  keyId: string;
}
