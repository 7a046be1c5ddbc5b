import type { RawBuilder } from 'kysely';
import type { ReturnCode } from '#contract/ach-codes.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import type { Completion } from '#server/lib/left-bank.ts';
import type { AppError } from '#server/lib/errors.ts';
import type { AuditDetails, Words } from '#server/modules/journal/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
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
  /** Reason code of a return. */
  readonly returnCode?: ReturnCode;
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

/** An act that is being done of many things: each was locked in a status in which it is legal. */
export interface DoingMany<Row extends KeptRow, Needs extends Clocked = Services> extends Omit<
  Doing<Row, Needs>,
  'row' | 'input'
> {
  readonly rows: readonly Row[];
  /** Input of all of them. */
  readonly input: InputOfMany;
  /** Input of one of them: that of all, with its own. */
  readonly inputOf: (row: Row) => InputOfMany;
}

export type InputOfMany = Omit<ActInput, 'id'>;

/** Effect of an act, apart from the change of the status. */
export interface Effect {
  /** Columns to be written with the status. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The ledger transaction that it posted. */
  readonly transactionId?: string;
  readonly details?: AuditDetails;
  readonly words?: Words;
}

/** Everything by which a guard decides. It reads nothing, so that it decides for the rows of a list as for a command. */
export interface Question<Known extends object> {
  /** Id of the person who does the act or reads the offer of it. */
  readonly actorId: () => string;
  readonly known: Known;
  readonly settings: CompanySettings;
  readonly now: Date;
}

/** SQL of facts about a row `request` of the table of a thing. Queries of lists have them as columns of these names. */
interface GuardFacts<Known extends object> {
  /** Joins of the rows that have them, one of each for a request. */
  readonly joins?: RawBuilder<unknown>;
  readonly columns: { readonly [Name in keyof Known]: RawBuilder<Known[Name]> };
}

type Each<T extends Thing, Value> = { readonly [Act in ActOf<T>]?: Value };

/** Everything special about a thing on the server. `act` does what all things have in common. */
export interface Kept<
  T extends Thing = Thing,
  Row extends KeptRow = KeptRow,
  Needs extends Clocked = Services,
  Known extends object = object,
  Legal extends KeptRow = KeptRow,
> {
  readonly thing: T;
  /** Its table, whose rows have `id`, `status`, `updatedAt`, and the last act in `movedAt` and `movedBy`. */
  readonly table: string;
  /** True if its rows do not keep their last act. */
  readonly hasNoLastAct?: true;
  /** Locks a row until the transaction ends, after the rows that come before it in the order; undefined if none. */
  lock(tx: Tx, id: string, act: ActOf<T>, ownerId?: string): Promise<Row | undefined>;
  /** Locks rows in the order of their ids; those that do not exist are left out. */
  readonly lockAll?: (tx: Tx, ids: readonly string[]) => Promise<Row[]>;
  /** Facts that every audit record of it has. */
  facts(row: Row): AuditDetails;
  words(row: Row): Words;
  /** Id that its notifications lead to, where it is not its own. */
  readonly relatedId?: (row: Row) => string;
  /** Column that keeps the reason of an act, where it is not `rejectionReason`. */
  readonly reasonColumn?: string;
  /**
   * Conditions on the row besides its status. Where one is false, the act is refused as by the status. They read
   * columns that every row has, a locked one and one of a list.
   */
  readonly isLegal?: Each<T, (row: Legal) => boolean>;
  /** Refusals by the row alone. Reads reply with them beforehand, as with those of `guards`. */
  readonly rowGuards?: Each<T, (row: Legal) => AppError | null>;
  /** The facts that `guards` need. */
  readonly guardFacts?: GuardFacts<Known>;
  /** Refusals by settings and by facts of other tables. */
  readonly guards?: Each<T, (question: Question<Known>) => AppError | null>;
  /** Runs before the status changes, for example to post to the ledger. */
  readonly effects?: Each<T, (doing: Doing<Row, Needs>) => Promise<Effect | void>>;
  /** Effects of acts that are done of many rows in one statement each, in the order of the rows, which set the same columns. */
  readonly effectsOfMany?: Each<T, (doing: DoingMany<Row, Needs>) => Promise<readonly Effect[]>>;
  /** Runs after the status has changed. */
  readonly followedBy?: Each<T, (doing: Doing<Row, Needs>) => Promise<void>>;
  /** Runs after the statuses have changed, of acts that are done of many rows. */
  readonly followedByMany?: Each<T, (doing: DoingMany<Row, Needs>) => Promise<void>>;
}
