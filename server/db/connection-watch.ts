import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import { sessionOf } from './session.ts';
import type { Part } from '#server/lib/supervise.ts';

/**
 * The database cannot be reached, or a connection to it gives no answer. It is unknown if a COMMIT
 * that was sent has taken effect.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code = 'DATABASE_UNAVAILABLE';
}

/** Watches the connections of this process. */
export interface ConnectionWatch {
  /**
   * Watches a connection. If it leaves a statement unanswered for longer than `answerWithinMs`, it
   * is closed and the statement fails.
   */
  add(client: pg.ClientBase, answerWithinMs: number): void;
  /** Error for callers while the database does not answer; null while it does. */
  refusal(): DatabaseUnavailableError | null;
  /** Supervised part that checks every second that the database answers. */
  part: Part;
}

export interface ConnectionWatchOptions {
  /** Address of the database, for the probe's own connection. */
  url: string;
  log: Log;
  /** Name of its part; `connections` by default. */
  name?: string;
  /** Shorter times for tests, in milliseconds. */
  limits?: Readonly<Record<'probeEveryMs' | 'probeAnswerMs' | 'probeRetryMs', number>>;
  /** Clock for statements without an answer, in milliseconds; read once per check. */
  now?: () => number;
}

/** Time that the open transaction of a connection may take for a statement, in milliseconds. */
const allowed = new WeakMap<pg.ClientBase, number>();

/**
 * Lets a connection leave a statement unanswered for that long, whatever its pool allows, until it
 * is called with null.
 */
export function allowAnswerWithin(client: pg.ClientBase, ms: number | null): void {
  if (ms === null) allowed.delete(client);
  else allowed.set(client, ms);
}

interface Watched {
  answerWithinMs: number;
  /** Statement at the last check, and the time since when it runs. */
  statement: unknown;
  sinceMs: number;
}

/**
 * A TCP connection can be dead without an error: after a cut in the network nothing arrives, and a
 * statement would wait for ever. So a separate connection sends `SELECT 1` every second. When it
 * gets no answer, all connections of the process are closed. Their statements fail now, and the
 * next ones open new connections. Until the database answers again, callers get an error
 * immediately instead of waiting for a time-out each.
 */
export function watchConnections({
  url,
  log,
  name = 'connections',
  limits = LIMITS.database,
  now = () => performance.now(),
}: ConnectionWatchOptions): ConnectionWatch {
  const watched = new Map<pg.ClientBase, Watched>();
  let lost: DatabaseUnavailableError | null = null;
  let probe: pg.Client | null = null;

  /**
   * @throws the error of the database or the system; DatabaseUnavailableError when there is no
   *   answer
   */
  async function ask(): Promise<void> {
    probe ??= await openProbe(url, limits.probeAnswerMs);
    await withinMs(probe.query('SELECT 1'), limits.probeAnswerMs);
  }

  function closeProbe(): void {
    if (probe !== null) breakConnection(probe, new DatabaseUnavailableError('The probe failed'));
    probe = null;
  }

  /** Tries once more on a new connection, because perhaps only the probe's own was lost. */
  async function askAgain(): Promise<void> {
    const isFirst = probe === null;
    try {
      await ask();
    } catch (error) {
      closeProbe();
      if (isFirst) throw error;
      if (error instanceof DatabaseUnavailableError) giveUp(error);
      await ask();
    }
  }

  /** Callers are refused before the connections close, because they would open others. */
  function giveUp(reason: DatabaseUnavailableError): void {
    lost = reason;
    closeAll(reason);
  }

  function closeAll(reason: DatabaseUnavailableError): void {
    if (watched.size === 0) return;
    log.warn({ msg: 'The database gave no answer; its connections are closed', err: reason });
    for (const client of watched.keys()) breakConnection(client, reason);
  }

  function closeSilent(): void {
    const nowMs = now();
    for (const [client, state] of watched) {
      const statement = activeStatement(client);
      if (statement !== state.statement) {
        state.statement = statement;
        state.sinceMs = nowMs;
        continue;
      }
      const answerWithinMs = Math.max(state.answerWithinMs, allowed.get(client) ?? 0);
      if (statement !== null && nowMs - state.sinceMs > answerWithinMs) {
        const silence = `No answer for ${Math.round(answerWithinMs / 1_000)} s`;
        breakConnection(client, new DatabaseUnavailableError(silence));
      }
    }
  }

  const part = supervise({
    name,
    log,
    everyMs: limits.probeEveryMs,
    mostRetryMs: limits.probeRetryMs,
    async turn() {
      closeSilent();
      try {
        await askAgain();
        lost = null;
      } catch (error) {
        closeProbe();
        if (error instanceof DatabaseUnavailableError) giveUp(error);
        // A database that refuses only this connection (too many of them, for example) is available
        // to the others.
        else if (!isRefusal(error)) lost = unreachable(error);
        throw error;
      }
    },
  });

  return {
    add(client, answerWithinMs) {
      watched.set(client, { answerWithinMs, statement: null, sinceMs: 0 });
      client.once('end', () => watched.delete(client));
    },
    refusal: () => lost,
    part: {
      ...part,
      async stop() {
        await part.stop();
        closeProbe();
      },
    },
  };
}

/**
 * Opens a connection; gives up after a limit.
 *
 * @throws DatabaseUnavailableError when nothing answers in time
 */
async function openProbe(url: string, answerWithinMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: sessionOf(url).url,
    application_name: 'purser-probe',
  });
  client.on('error', () => undefined);
  try {
    await withinMs(client.connect(), answerWithinMs);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) breakConnection(client, error);
    throw error;
  }
  return client;
}

/** Ends a connection without waiting for the other side, which may be gone. */
export function breakConnection(client: pg.ClientBase, reason: Error): void {
  connectionOf(client).stream.destroy(reason);
}

async function withinMs(answer: Promise<unknown>, ms: number): Promise<void> {
  const waiting = new AbortController();
  try {
    const silence = sleep(ms, 'silent', { signal: waiting.signal });
    if ((await Promise.race([answer, silence])) !== 'silent') return;
    // This process itself may have been blocked while the answer arrived.
    await sleep(0);
    if ((await Promise.race([answer, Promise.resolve('silent')])) !== 'silent') return;
    throw new DatabaseUnavailableError(`No answer within ${ms} ms`);
  } finally {
    waiting.abort();
    answer.catch(() => undefined);
  }
}

/** True for an answer by a PostgreSQL that is neither starting nor stopping (class 57). */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57') !== true;
}

function unreachable(cause: unknown): DatabaseUnavailableError {
  return new DatabaseUnavailableError('The database cannot be reached', { cause });
}

/** Members of pg's client that its types omit. */
interface ClientInside {
  readonly connection: pg.Connection;
  _getActiveQuery(): unknown;
}

function connectionOf(client: pg.ClientBase): pg.Connection {
  return (client as unknown as ClientInside).connection;
}

/** The statement whose answer is outstanding; null when there is none. */
function activeStatement(client: pg.ClientBase): unknown {
  return (client as unknown as ClientInside)['_getActiveQuery']() ?? null;
}
