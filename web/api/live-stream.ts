import { EVENTS_PATH, MAX_SINCE_MS } from '#contract/paths.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { keepPosition } from './position.ts';

/** Reports of a stream of live events. */
export interface LiveListener {
  /** Something of that topic changed; a name that this version may not know. */
  onTopic: (topic: string) => void;
  /** Events may have been missed: whatever is shown may have changed. */
  onMissed: () => void;
}

/** The least that is waited before a refused stream is asked for again; twice that at most. */
const RETRY_MS = 4_000;

/**
 * Opens a stream of live events and keeps it open. After a lost connection everything counts as
 * changed, because events were missed. The page was read before there was a stream: what changed in
 * between is reported first.
 *
 * @param options.hasMissed whether that is so from the start
 * @returns closes it
 */
export function openStream(
  { onTopic, onMissed }: LiveListener,
  { hasMissed = false }: { hasMissed?: boolean } = {},
): () => void {
  let wasLost = hasMissed;
  let source = open();
  let retry: ReturnType<typeof setTimeout> | undefined;

  function open(): EventSource {
    const opened = new EventSource(`${EVENTS_PATH}?sinceMs=${sinceRead()}`);
    opened.addEventListener('changed', (event: MessageEvent<string>) => {
      const data: unknown = JSON.parse(event.data);
      if (typeof data !== 'object' || data === null || !('topic' in data)) return;
      if ('position' in data) keepPosition(data.position);
      if (typeof data.topic === 'string') onTopic(data.topic);
    });
    opened.addEventListener('error', () => {
      wasLost = true;
      // A lost connection the browser opens again by itself. A refused one (503 while the server has
      // no database, say) it gives up for good.
      if (opened.readyState !== EventSource.CLOSED) return;
      // Maybe the session has ended while there was no stream to say so: who is signed in is asked again.
      onTopic('sessions' satisfies EventTopic);
      const waitMs = RETRY_MS * (1 + Math.random());
      retry = setTimeout(() => {
        source = open();
      }, waitMs);
    });
    opened.addEventListener('open', () => {
      if (wasLost) onMissed();
      wasLost = false;
    });
    return opened;
  }

  return () => {
    clearTimeout(retry);
    source.close();
  };
}

/** Milliseconds since the page was read, at least: the request for the stream takes its time as well. */
function sinceRead(): number {
  return Math.ceil(Math.min(2 * performance.now() + 1_000, MAX_SINCE_MS));
}
