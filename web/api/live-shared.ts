import { openTabChannel } from '#web/lib/between-tabs.ts';
import { openStream, type LiveListener } from './live-stream.ts';

/** Message of one tab to the others: a topic, or that events may have been missed. */
type LiveMessage = { topic: string } | { missed: true };

/** Question of a tab that was read so many milliseconds ago: what changed since then, before it listened? */
interface Question {
  sinceMs: number;
}

/**
 * Listens to live events by one stream for all tabs of the browser. The tab that has the lock keeps the
 * stream and lets the others know; when it closes, or stops, the next one gets the lock and opens its
 * own. What happened in between was missed, so everything counts as changed then.
 *
 * @param userId whose events: tabs of another person have a stream of their own
 * @param hasMissed whether events were missed before
 * @returns stops listening
 */
export function followShared(
  userId: string,
  listener: LiveListener,
  { hasMissed = false }: { hasMissed?: boolean } = {},
): () => void {
  // Over plain HTTP a browser has no locks, except on the machine itself.
  if (!('locks' in navigator)) return openStream(listener, { hasMissed });
  const name = `purser.live.${userId}`;
  const channel = openTabChannel<LiveMessage | Question>(name, (message) => {
    if (stopping.signal.aborted) return;
    if (!('sinceMs' in message)) receive(listener, message);
    else for (const one of sentSince(message.sinceMs)) channel.post(one);
  });
  /** Messages of the tab that has the stream, each with the time at which it was last sent. */
  const sent = new Map<string, { message: LiveMessage; atMs: number }>();
  const stopping = new AbortController();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();

  function tell(message: LiveMessage): void {
    if (stopping.signal.aborted) return;
    sent.set(JSON.stringify(message), { message, atMs: performance.now() });
    receive(listener, message);
    channel.post(message);
  }

  function sentSince(sinceMs: number): LiveMessage[] {
    const fromMs = performance.now() - sinceMs;
    return [...sent.values()].flatMap(({ message, atMs }) => (atMs >= fromMs ? [message] : []));
  }

  async function lead(hasMissedEvents: boolean): Promise<void> {
    if (stopping.signal.aborted) return;
    const close = openStream(
      { onTopic: (topic) => tell({ topic }), onMissed: () => tell({ missed: true }) },
      { hasMissed: hasMissedEvents },
    );
    await stopped;
    close();
  }

  async function takeTurns(): Promise<void> {
    const isFirst = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await lead(hasMissed);
      return lock !== null;
    });
    if (isFirst || stopping.signal.aborted) return;
    // Another tab has a stream already; what this one missed, it asks for now.
    if (hasMissed) listener.onMissed();
    else channel.post({ sinceMs: performance.now() });
    await navigator.locks.request(name, { signal: stopping.signal }, () => lead(true));
  }

  takeTurns().catch((error: unknown) => {
    // It was still waiting for its turn.
    if (stopping.signal.aborted) return;
    // A browser that refuses storage refuses locks: this tab has a stream of its own.
    if (error instanceof DOMException && error.name === 'SecurityError') return lead(hasMissed);
    throw error;
  });
  return () => {
    stopping.abort();
    stop();
    channel.close();
  };
}

function receive({ onTopic, onMissed }: LiveListener, sent: LiveMessage): void {
  if ('topic' in sent) onTopic(sent.topic);
  else onMissed();
}
