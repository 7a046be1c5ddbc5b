import { Kysely, sql } from 'kysely';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Check } from '#server/lib/check.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { DatabaseUnavailableError, watchConnections } from './connection-watch.ts';
import { dialectOf, pooled } from './driver.ts';
import { createDb, createPool } from './pool.ts';
import type { DB } from './schema.ts';
import { prepared } from './statement-names.ts';
import type { Db } from './tx.ts';

/**
 * Source of a read that may be late: `replica`; or the primary, because the replica is `behind`, is no replica of this
 * database (`other`), or did not answer (`failed`).
 */
export const READ_OUTCOMES = ['replica', 'behind', 'other', 'failed'] as const;
export type ReadOutcome = (typeof READ_OUTCOMES)[number];

/** The reads of one request. Once one of them had to go to the primary, all later ones do. */
export interface Reading {
  /** Reads only, and not in a transaction: each statement is answered by the replica or by the primary. */
  db: Db;
  /** True if a result came from the replica. */
  usedReplica(): boolean;
}

/** A streaming replica of the database, for reads that may be late (docs/decisions/076). */
export interface Replica {
  /**
   * Begins the reads of a request.
   *
   * @param seen position that its caller knows of: everything that was committed before it is in the reads
   */
  read(seen: number): Reading;
  /** Position of the primary now, in bytes of its log: everything that was committed so far is before it. */
  position(): Promise<number>;
  /** Age of what the replica has, in seconds by the clocks of both machines; 0 if it has all. NaN while it is unknown. */
  lagS(): number;
  /** Fault of the replica in words. All reads go to the primary meanwhile. */
  check: Check;
  pool: pg.Pool;
  /** Supervised parts, which compare the positions and watch the connections. */
  parts: readonly Part[];
  /** Closes all connections. */
  end(): Promise<void>;
}

export type ReplicaLimits = Record<Exclude<keyof typeof LIMITS.replica, 'probe'>, number> & {
  probe: Record<keyof typeof LIMITS.replica.probe, number>;
};

export interface ReplicaOptions {
  /** Address of the replica. It may be a proxy in front of several. */
  url: string;
  /** Primary. */
  db: Db;
  log: Log;
  /** Called once for the reads of a request, and again when they go on at the primary. */
  onOutcome?: (outcome: ReadOutcome) => void;
  /** Other times for tests. */
  limits?: Partial<ReplicaLimits>;
}

/** State of a server in the history of the database. */
interface Place {
  isReplica: boolean;
  /** Position up to which it has the log. */
  position: number;
  /** Identifier of the cluster and timeline: both change where two histories part. */
  history: string;
  lagS: number;
}

/**
 * The control file has the timeline of the last restart point, or a newer one since then. Until it has the one of the
 * primary, a replica may still follow another server, and is not read.
 */
const REPLICA_PLACE = sql<Place>`select ${prepared}
  pg_is_in_recovery() as is_replica,
  coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8, 0) as position,
  own.system_identifier || '.' || greatest(point.timeline_id, least.min_recovery_end_timeline) as history,
  coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as lag_s
  from pg_control_system() as own, pg_control_checkpoint() as point, pg_control_recovery() as least`;

/**
 * The position is the end of a record, unlike that of the next one, which may be after the header of a page: a replica
 * that has all of an idle primary would stay before it.
 */
const PRIMARY_PLACE = sql<Place>`select ${prepared}
  pg_is_in_recovery() as is_replica,
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as position,
  own.system_identifier || '.' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as history,
  0::float8 as lag_s
  from pg_control_system() as own`;

/** The end of what is written, on the disk or not: it is after every COMMIT, also where `synchronous_commit` is off. */
const POSITION = sql<{ position: number }>`select ${prepared}
  (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as position`;

const REPLAYED = sql<{ position: number }>`select ${prepared}
  (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as position`;

/** Opens the replica. It need not be reachable, also not at the start: what it does not answer, the primary does. */
export function openReplica(options: ReplicaOptions): Replica {
  const { url, db, log, onOutcome = () => undefined } = options;
  const limits: ReplicaLimits = { ...LIMITS.replica, ...options.limits };
  const { lateAtMostMs, compareEveryMs, probe, connections: max, answerMs, ...times } = limits;
  const watch = watchConnections({ url, log, name: 'replica', limits: probe });
  const pool = createPool({
    url,
    max,
    applicationName: 'purser-replica',
    connectTimeoutMs: times.connectTimeoutMs,
    statementTimeoutMs: times.statementTimeoutMs,
    lockTimeoutMs: times.lockTimeoutMs,
    settings: { default_transaction_read_only: 'on' },
    watch: { connections: watch, answerWithinMs: answerMs },
  });
  const replicaDb = createDb(pool);
  const [place, replayed] = [REPLICA_PLACE.compile(replicaDb), REPLAYED.compile(replicaDb)];
  /** Positions of the primary within the time that a read may be late, each with the time before it was asked for. */
  let samples: { atMs: number; position: number }[] = [];
  let history: string | undefined;
  let known: Place | undefined;

  /** Position of the primary when a read may be late at most; infinite if that is unknown. */
  function floor(): number {
    const fromMs = performance.now() - lateAtMostMs;
    return samples.find(({ atMs }) => atMs >= fromMs)?.position ?? Number.POSITIVE_INFINITY;
  }

  function outcomeAt(at: Place, required: number): Exclude<ReadOutcome, 'failed'> {
    if (!at.isReplica || at.history !== history) return 'other';
    return at.position >= required ? 'replica' : 'behind';
  }

  async function compare(): Promise<void> {
    const atMs = performance.now();
    const { rows } = await PRIMARY_PLACE.execute(db);
    const [primary] = rows;
    if (primary === undefined || primary.isReplica) throw new InvariantError('no primary');
    history = primary.history;
    samples = [...samples, { atMs, position: primary.position }].filter(
      (one) => one.atMs >= atMs - lateAtMostMs,
    );
    const { rows: found } = await REPLICA_PLACE.execute(replicaDb);
    known = found[0];
    if (known !== undefined && known.position >= primary.position) known.lagS = 0;
  }

  /** @returns the result, and the position from which the replica answered it, or a later one */
  function askReplica<R>(query: CompiledQuery, required: number) {
    return replicaDb.getExecutor().provideConnection(async (connection) => {
      // Sent in one message. The position only grows on a connection, so the result has at least the first one.
      const [before, result, after] = await Promise.all([
        pooled(connection).executeQuery<Place>(place),
        pooled(connection).executeQuery<R>(query),
        pooled(connection).executeQuery<{ position: number }>(replayed),
      ]);
      const [at] = before.rows;
      const outcome = at === undefined ? 'other' : outcomeAt(at, required);
      return { outcome, result, position: after.rows[0]?.position ?? required };
    });
  }

  function read(seen: number): Reading {
    let source: ReadOutcome | undefined;
    let isUsed = false;
    let required = seen;
    const settle = (outcome: ReadOutcome) => {
      if (source !== outcome) onOutcome(outcome);
      source = outcome;
    };
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (source === undefined || source === 'replica') {
          const fromReplica = await tryReplica<R>(query);
          if (fromReplica !== null) return fromReplica;
        }
        return db.getExecutor().provideConnection((primary) => primary.executeQuery<R>(query));
      },
      // oxlint-disable-next-line require-yield -- the pool has no cursors
      async *streamQuery() {
        throw new Error('Read in pages: there are no cursors here');
      },
    };
    async function tryReplica<R>(query: CompiledQuery): Promise<QueryResult<R> | null> {
      const least = Math.max(required, floor());
      // A replica that was far behind a moment ago is not asked for each read.
      const expected = known === undefined ? 'failed' : outcomeAt(known, floor());
      if (expected !== 'replica') {
        settle(expected);
        return null;
      }
      try {
        const { outcome, result, position } = await askReplica<R>(query, least);
        // Another statement of the request may have gone to the primary meanwhile.
        if (outcome === 'replica' && (source === undefined || source === 'replica')) {
          settle(outcome);
          isUsed = true;
          required = Math.max(required, position);
          return result;
        }
        if (outcome !== 'replica') settle(outcome);
      } catch (error) {
        if (isWrite(error)) throw error;
        // Also what is wrong with the statement itself: the primary says so.
        settle('failed');
      }
      return null;
    }
    return { db: readingOf(db, connection), usedReplica: () => isUsed };
  }

  const comparing = supervise({
    name: 'replica position',
    log,
    everyMs: compareEveryMs,
    mostRetryMs: compareEveryMs,
    turn: () =>
      compare().catch((error: unknown) => {
        known = undefined;
        // The watch reports that it does not answer.
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      }),
  });
  return {
    read,
    pool,
    parts: [watch.part, comparing],
    async position() {
      const { rows } = await POSITION.execute(db);
      if (rows[0] === undefined) throw new InvariantError('a query without FROM gave no row');
      return rows[0].position;
    },
    lagS: () => known?.lagS ?? Number.NaN,
    check() {
      if (watch.refusal() !== null || known === undefined) return 'the replica does not answer';
      switch (outcomeAt(known, floor())) {
        case 'other':
          return 'the server at PURSER_REPLICA_URL is no replica of this database';
        case 'behind':
          return `the replica is more than ${lateAtMostMs / 1_000} s behind`;
        case 'replica':
          return true;
      }
    },
    async end() {
      await Promise.all([comparing.stop(), watch.part.stop()]);
      await pool.end();
    },
  };
}

/** PostgreSQL's code for a change in a read-only transaction. */
function isWrite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

/** The query builder with statements that this connection answers. */
function readingOf(db: Db, connection: DatabaseConnection): Db {
  const executor = db.getExecutor().withConnectionProvider({
    provideConnection: (consumer) => consumer(connection),
  });
  const dialect = dialectOf(db.getExecutor());
  return new Kysely<DB>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor,
  }) as Db;
}
