import pg from 'pg';
import { EVENT_TOPICS } from '#contract/live-topics.ts';
import { MAX_SINCE_MS } from '#contract/paths.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { breakConnection } from '#server/db/connection-watch.ts';
import type { ConnectionWatch } from '#server/db/connection-watch.ts';
import { applySettings, sessionOf } from '#server/db/session.ts';
import type { Actor } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { LIVE_CHANNEL, unpackEvents } from './channel.ts';

/** One open screen. */
export interface LiveStream {
  actor: Actor;
  /**
   * Sends a topic to the browser.
   *
   * @param position position of the database that its reads need at least; null while there is no replica
   */
  send(topic: EventTopic, position: number | null): void;
  /** Ends it; the browser reconnects by itself if it still may. */
  close(): void;
  /** Sends a comment that keeps proxies from closing a silent connection. */
  beat(): void;
  /** True if its session is still valid. */
  isSignedIn(): Promise<boolean>;
}

/** Sends the relay's events to the screens open in this process. */
export interface Live {
  /**
   * Adds a stream and returns a function that removes it. What changed since a page was asked for, and before its
   * stream was open, it is sent first: the page may have read what was there before.
   *
   * @param sinceMs how long ago that was, in milliseconds
   * @throws AppError too_many_requests, unavailable (also while stopping)
   */
  open(stream: LiveStream, sinceMs?: number): () => void;
  openStreams(): number;
  stop(): Promise<void>;
}

export interface LiveOptions {
  databaseUrl: string;
  log: Log;
  /** Watches the connection; omitted in tests. */
  connections?: ConnectionWatch;
  /** Milliseconds by which a read may be late; 0 (default) while there is no replica. */
  lateMs?: number;
}

export interface RunningLive extends Live {
  /** Supervised part that listens. */
  part: Part;
}

/** Listens on a separate connection, which is reopened whenever it is lost. */
export async function startLive(options: LiveOptions): Promise<RunningLive> {
  const streams = new Set<LiveStream>();
  let isStopping = false;
  let hasListened = false;
  /** Times of the newest events, on this process's own clock, the oldest first. */
  const recent = new Map<string, Recent>();
  /** `recent` has all events since then. */
  let completeFromMs = Number.POSITIVE_INFINITY;
  const { lateMs = 0 } = options;
  /** Position of the database that is after every change received, and after those missed before it listened. */
  let position = 0;

  function send(stream: LiveStream, topic: EventTopic): void {
    stream.send(topic, lateMs > 0 ? position : null);
  }

  function deliver(topic: EventTopic, userId: string | null): void {
    remember({ topic, userId, atMs: performance.now() });
    for (const stream of streams) if (isFor(stream, userId)) send(stream, topic);
  }

  function remember(event: Recent): void {
    const key = `${event.topic} ${event.userId ?? ''}`;
    recent.delete(key);
    recent.set(key, event);
    for (const [oldest, { atMs }] of recent) {
      if (recent.size <= LIMITS.live.recentEvents && atMs >= event.atMs - MAX_SINCE_MS) break;
      recent.delete(oldest);
      completeFromMs = Math.max(completeFromMs, atMs);
    }
  }

  /** Topics that changed for a stream in that time; all of them where this process did not receive all. */
  function topicsSince(stream: LiveStream, sinceMs: number): readonly EventTopic[] {
    const fromMs = performance.now() - sinceMs;
    if (fromMs <= completeFromMs) return EVENT_TOPICS;
    const theirs = [...recent.values()].filter(
      ({ atMs, userId }) => atMs >= fromMs && isFor(stream, userId),
    );
    return theirs.map(({ topic }) => topic);
  }

  const part = supervise({
    name: 'live',
    log: options.log,
    everyMs: LIMITS.supervision.firstRetryMs,
    turn: ({ signal, working }) =>
      listenUntilLost(options, {
        signal,
        onPayload(payload) {
          const received = unpackEvents(payload);
          position = Math.max(position, received.position);
          for (const { topic, userId } of received.events) deliver(topic, userId);
        },
        onListening(listensFrom) {
          working();
          // Not the larger of both: a restored database begins again.
          position = listensFrom;
          completeFromMs = performance.now();
          if (hasListened) refreshAll();
          hasListened = true;
        },
      }),
  });

  /** Events may have been missed while nobody listened, so screens reload everything. */
  function refreshAll(): void {
    for (const stream of streams) for (const topic of EVENT_TOPICS) send(stream, topic);
  }

  async function recheck(): Promise<void> {
    for (const stream of Array.from(streams)) {
      const isSignedIn = await stream.isSignedIn().catch(() => true);
      if (!isSignedIn) stream.close();
    }
  }

  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, LIMITS.live.heartbeatMs);
  const rechecking = setInterval(() => void recheck(), LIMITS.live.recheckMs);

  await part.started;
  return {
    part,
    open(stream, sinceMs = 0) {
      if (isStopping || streams.size >= LIMITS.live.streamsPerProcess) {
        throw new AppError('unavailable');
      }
      const ofPerson = [...streams].filter(({ actor }) => actor.id === stream.actor.id);
      if (ofPerson.length >= LIMITS.live.streamsPerUser) {
        throw new AppError('too_many_requests', { retryAfterS: LIMITS.live.recheckMs / 1000 });
      }
      streams.add(stream);
      // A late read of the page had what was there still earlier.
      if (sinceMs > 0) {
        for (const topic of topicsSince(stream, sinceMs + lateMs)) send(stream, topic);
      }
      return () => {
        streams.delete(stream);
      };
    },
    openStreams: () => streams.size,
    async stop() {
      isStopping = true;
      clearInterval(heartbeat);
      clearInterval(rechecking);
      for (const stream of streams) stream.close();
      await part.stop();
    },
  };
}

interface Recent {
  topic: EventTopic;
  userId: string | null;
  atMs: number;
}

/** True if an event of that person, or of all administrators, reaches a stream. */
function isFor({ actor }: LiveStream, userId: string | null): boolean {
  return userId === null ? actor.role === 'admin' : actor.id === userId;
}

interface Listener {
  signal: AbortSignal;
  onPayload: (payload: string) => void;
  /** Called with the position of the database, after which no event is missed. */
  onListening: (position: number) => void;
}

/**
 * Listens until `signal` is aborted.
 *
 * @throws when the connection cannot be opened or is lost
 */
async function listenUntilLost(
  { databaseUrl, connections }: LiveOptions,
  { signal, onPayload, onListening }: Listener,
): Promise<void> {
  const { url, settings } = sessionOf(databaseUrl);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'purser-live',
    connectionTimeoutMillis: LIMITS.database.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.database.keepAliveMs,
  });
  const ended = Promise.withResolvers<void>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    breakConnection(client, new Error('The server stops'));
  };
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  client.on('error', ended.reject);
  client.on('end', () => ended.reject(new Error('The live connection was closed')));
  ended.promise.catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  connections?.add(client, LIMITS.database.queueAnswerMs);
  try {
    await client.connect();
    await applySettings(client, settings);
    await client.query(`LISTEN ${LIVE_CHANNEL}`);
    const { rows } = await client.query<{ position: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS position`,
    );
    onListening(rows[0]?.position ?? 0);
    await ended.promise;
  } catch (error) {
    if (!isStopped) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    breakConnection(client, new Error('The live connection is given up'));
  }
}
