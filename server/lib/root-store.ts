import { z } from 'zod';

/** File in the data folder with the exported roots, unless they are kept elsewhere. */
export const ROOTS_FILE = 'ledger-roots.jsonl';

/** Root of a block of the ledger, as stored outside the database. */
export interface ExportedRoot {
  height: bigint;
  /** Hexadecimal, like every field here. */
  root: string;
  sealedAt: Date;
  /** Ed25519 signature of the root: the line alone is enough to check it. */
  publicKey: string;
  signature: string;
}

/**
 * An operator's decision that the database may continue from an older block than the last exported
 * one, because a backup was restored: roots above `height` that were sealed before it are no longer
 * expected.
 */
export interface AcceptedRestore {
  /** Last block of the restored database. */
  height: bigint;
  root: string;
  /** The newest lost block. */
  lostHeight: bigint;
  acceptedAt: Date;
  reason: string;
  publicKey: string;
  /** Signature by the ledger's key, so that nobody else can decide it. */
  signature: string;
}

export type RootRecord = ExportedRoot | AcceptedRestore;

/** Data that a place lists of a record: if it only reads names, there is no signature. */
export type ListedRecord = Pick<ExportedRoot, 'height' | 'root' | 'sealedAt'> | RootRecord;

/** A record that exists and cannot be read. */
export interface Unreadable {
  unreadable: string;
  /** True for the beginning of a record, whose writing failed because the disk was full or the process ended. */
  isCutShort?: boolean;
}

/**
 * Store of block roots outside the database: a log to which records are appended. A root covers
 * everything sealed before it, so some may be missing, and the last is the one that counts.
 */
export interface RootStore {
  /** Name of the place for people; never a password or token. */
  readonly place: string;
  /** The record appended last, by any process. @throws when the place cannot be read */
  newest(): Promise<RootRecord | undefined>;
  /** All of them, in no particular order. @throws when the place cannot be read */
  records(): AsyncIterable<ListedRecord | Unreadable>;
  /**
   * Resolves when the record is safely stored. Appending one twice does no harm. @throws when it
   * failed
   */
  append(record: RootRecord): Promise<void>;
  /** Ends background work. */
  close(): Promise<void>;
}

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const height = z.int().positive().transform(BigInt);
const time = z.iso.datetime().transform((text) => new Date(text));
const signed = { publicKey: hex(32), signature: hex(64) };

const exportedRoot = z.strictObject({ height, root: hex(32), sealedAt: time, ...signed });
const acceptedRestore = z.strictObject({
  height: z.int().nonnegative().transform(BigInt),
  root: hex(32),
  lostHeight: height,
  acceptedAt: time,
  reason: z.string().min(1).max(500),
  ...signed,
});
const rootRecord = z.union([exportedRoot, acceptedRestore]);

export function isAcceptedRestore(record: ListedRecord): record is AcceptedRestore {
  return 'acceptedAt' in record;
}

/** One line of JSON, without a line end. */
export function encodeRecord(record: RootRecord): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

/** True for a text that {@link encodeRecord} may have begun with: such a record was never taken for a kept one. */
export function isCutShort(line: string): boolean {
  const begins = '{"height":';
  return (line.startsWith(begins) && !line.endsWith('}')) || begins.startsWith(line);
}

/** @throws when the text is no record */
export function decodeRecord(line: string): RootRecord {
  return rootRecord.parse(JSON.parse(line));
}
