import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import type { Completion } from '#server/lib/left-bank.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
export type AuditDetails = NonNullable<AuditEntry['details']>;

/** Formatted words of a thing for its notifications; null for a word that is not known. */
export type Words = Readonly<Record<string, string | null>>;

/** Locked row of a thing. */
export interface KeptRow<Status extends string = string> {
  readonly id: string;
  /** Id of its owner. */
  readonly userId: string;
  readonly status: Status;
}

/** Input of an act. */
export interface ActInput extends Completion {
  readonly id: string;
  readonly reason?: string;
  /** More facts for the audit record than every act of the thing has. */
  readonly details?: AuditDetails;
}

/** An act that is being done: `by` may do it, and the row was locked in a status in which it is legal. */
export interface Doing<Row extends KeptRow, Needs extends Clocked = Services> {
  readonly tx: Tx;
  readonly services: Needs;
  readonly by: AuditContext;
  readonly row: Row;
  readonly at: Date;
  readonly input: ActInput;
}

/** Effect of an act, apart from the change of the status. */
export interface Effect {
  /** Columns to be written with the status. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The ledger transaction that it posted. */
  readonly transactionId?: string;
  readonly details?: AuditDetails;
  readonly words?: Words;
}

type Each<T extends Thing, Value> = { readonly [Act in ActOf<T>]?: Value };

/** Everything special about a thing on the server. `act` does what all things have in common. */
export interface Kept<
  T extends Thing = Thing,
  Row extends KeptRow = KeptRow,
  Needs extends Clocked = Services,
> {
  readonly thing: T;
  /** Its table, whose rows have `id`, `status` and `updatedAt`. */
  readonly table: string;
  /** Locks a row until the transaction ends, after the rows that come before it in the order; undefined if none. */
  lock(tx: Tx, id: string, act: ActOf<T>, ownerId?: string): Promise<Row | undefined>;
  /** Facts that every audit record of it has. */
  facts(row: Row): AuditDetails;
  words(row: Row): Words;
  /** Columns that keep who did it and when. */
  readonly stamp: Each<
    T,
    (done: { at: Date; by: string | null }) => Readonly<Record<string, unknown>>
  >;
  /** More refusals than those of owner and status. Screens ask for them beforehand. */
  readonly guards?: Each<T, (doing: Omit<Doing<Row, Needs>, 'input'>) => Promise<void>>;
  /** Runs before the status changes, for example to post to the ledger. */
  readonly effects?: Each<T, (doing: Doing<Row, Needs>) => Promise<Effect | void>>;
  /** Runs after the status has changed. */
  readonly followedBy?: Each<T, (doing: Doing<Row, Needs>) => Promise<void>>;
}
