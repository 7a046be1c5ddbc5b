import type { Reader, Tx } from '#server/db/tx.ts';

/** Where a sealed value rests; part of what is authenticated, so it cannot be moved elsewhere. */
export interface Place {
  table: string;
  column: string;
  rowId: string;
}

/** Encryption at rest of what is sensitive: account numbers, ID numbers, applications, documents. */
export interface Vault {
  /** AES-256-GCM under the person's data key, which is made on first use. */
  seal(tx: Tx, userId: string, place: Place, plain: Uint8Array | string): Promise<Buffer>;
  /** Throws when the value was changed, moved, or its key is gone. */
  open(reader: Reader, userId: string, place: Place, sealed: Uint8Array): Promise<Buffer>;
  /** A keyed hash to find equal values by without decrypting any; `purpose` keeps uses apart. */
  lookupHash(purpose: string, value: string): LookupHash;
  /** The same under every master key at hand, to search by; the current key's is first. */
  lookupHashes(purpose: string, value: string): LookupHash[];
  /** Deletes the person's data key: everything sealed for them is lost for good. */
  shred(tx: Tx, userId: string): Promise<void>;
}

export interface LookupHash {
  hash: Buffer;
  /** The master key it was made under; kept beside it. */
  keyId: string;
}
