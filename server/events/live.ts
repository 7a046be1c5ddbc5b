import pg from 'pg';
import { EVENT_TOPICS } from '#contract/paths.ts';
import type { EventTopic } from '#contract/paths.ts';
import { withSearchPath } from '#server/db/search-path.ts';
import type { Actor } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { LIVE_CHANNEL, unpackEvents } from './channel.ts';

/** One open screen. */
export interface LiveStream {
  actor: Actor;
  /** Hands a topic to the browser. */
  send(topic: EventTopic): void;
  /** Ends it; the browser comes back by itself if it still may. */
  close(): void;
  /** A comment that keeps proxies from closing a silent connection. */
  beat(): void;
  /** Whether the sign-in it was opened with still holds. */
  isSignedIn(): Promise<boolean>;
}

/** Fans out what the relay tells to the screens open in this process. */
export interface Live {
  /**
   * Adds a stream and answers how to remove it.
   *
   * @throws AppError too_many_requests, unavailable (also while stopping)
   */
  open(stream: LiveStream): () => void;
  openStreams(): number;
  stop(): Promise<void>;
}

/** Listens on a connection of its own, which is opened again whenever it is lost. */
export async function startLive(databaseUrl: string, log: Log): Promise<Live> {
  const streams = new Set<LiveStream>();
  let isStopping = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  function deliver(topic: EventTopic, userId: string | null): void {
    for (const stream of streams) {
      const isTheirs = userId === null ? stream.actor.role === 'admin' : stream.actor.id === userId;
      if (isTheirs) stream.send(topic);
    }
  }

  async function listen(): Promise<void> {
    const next = new pg.Client({
      connectionString: withSearchPath(databaseUrl),
      application_name: 'purser-live',
    });
    next.on('notification', ({ payload }) => {
      for (const { topic, userId } of unpackEvents(payload ?? '')) deliver(topic, userId);
    });
    next.on('error', (error) => log.warn({ err: error, msg: 'The live connection was lost' }));
    next.on('end', () => reconnect());
    await next.connect();
    await next.query(`LISTEN ${LIVE_CHANNEL}`);
    client = next;
  }

  function reconnect(): void {
    if (isStopping) return;
    client = null;
    clearTimeout(retry);
    retry = setTimeout(() => {
      listen().then(refreshAll, (error: unknown) => {
        log.warn({ err: error, msg: 'The live connection could not be opened again' });
        reconnect();
      });
    }, LIMITS.live.reconnectDelayMs);
  }

  /** Whatever was said while nobody listened is made up for by asking for everything again. */
  function refreshAll(): void {
    for (const stream of streams) for (const topic of EVENT_TOPICS) stream.send(topic);
  }

  async function recheck(): Promise<void> {
    for (const stream of [...streams]) {
      const isSignedIn = await stream.isSignedIn().catch(() => true);
      if (!isSignedIn) stream.close();
    }
  }

  await listen();
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, LIMITS.live.heartbeatMs);
  const rechecking = setInterval(() => void recheck(), LIMITS.live.recheckMs);

  return {
    open(stream) {
      if (isStopping || streams.size >= LIMITS.live.streamsPerProcess) {
        throw new AppError('unavailable');
      }
      const ofPerson = [...streams].filter(({ actor }) => actor.id === stream.actor.id);
      if (ofPerson.length >= LIMITS.live.streamsPerUser) {
        throw new AppError('too_many_requests', { retryAfterS: LIMITS.live.recheckMs / 1000 });
      }
      streams.add(stream);
      return () => {
        streams.delete(stream);
      };
    },
    openStreams: () => streams.size,
    async stop() {
      isStopping = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      clearInterval(rechecking);
      for (const stream of [...streams]) stream.close();
      await client?.end();
    },
  };
}
