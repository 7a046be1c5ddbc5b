import { z } from 'zod';

/** The root of a block of the ledger, as it is kept outside the database. */
export interface ExportedRoot {
  height: bigint;
  /** As hex, as everything here. */
  root: string;
  sealedAt: Date;
  /** Of the Ed25519 signature of the root: whoever has the line can check it alone. */
  publicKey: string;
  signature: string;
}

/**
 * An operator's decision that the database may go on from an older block than was exported, because
 * a backup was restored: roots above `height` that were sealed before it are not asked for any more.
 */
export interface AcceptedRestore {
  /** Where the database ended. */
  height: bigint;
  root: string;
  /** The newest block that is lost. */
  lostHeight: bigint;
  acceptedAt: Date;
  reason: string;
  publicKey: string;
  /** By the ledger's key, so that nobody else can decide it. */
  signature: string;
}

export type RootRecord = ExportedRoot | AcceptedRestore;

/** What a place lists of a record: where only names are read, there is no signature. */
export type ListedRecord = Pick<ExportedRoot, 'height' | 'root' | 'sealedAt'> | RootRecord;

/** A record that is there and cannot be read. */
export interface Unreadable {
  unreadable: string;
}

/**
 * Where the roots of blocks are kept outside the database: a log to which records are appended. A
 * root covers everything sealed before it, so some may be missing, and the last is the one that
 * counts.
 */
export interface RootStore {
  /** Says to a person where that is; never a password or token. */
  readonly place: string;
  /** The record appended last, by any process. @throws when the place cannot be read */
  newest(): Promise<RootRecord | undefined>;
  /** All of them, in no particular order. @throws when the place cannot be read */
  records(): AsyncIterable<ListedRecord | Unreadable>;
  /** Done when it is safely there. Appending one twice does no harm. @throws when it failed */
  append(record: RootRecord): Promise<void>;
  /** Ends what goes on behind the calls. */
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

/** @throws when the text is no record */
export function decodeRecord(line: string): RootRecord {
  return rootRecord.parse(JSON.parse(line));
}
