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
  lookupHash(purpose: string, value: string): { hash: Buffer; keyId: string };
}
