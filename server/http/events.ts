import type { Context } from 'hono';
import { MAX_SINCE_MS } from '#contract/paths.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import type { Live } from '#server/events/live.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Environment } from './environment.ts';
import type { ResolveSession } from './session.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Has nginx not buffer events.
  'x-accel-buffering': 'no',
};

/**
 * Live stream (text/event-stream): `event: changed` with `{"topic":"wallets"}`. It only says that
 * something changed; screens request the data again through the API. `?sinceMs=` is how long ago the page was asked
 * for: the changes since then come first.
 */
export function eventsHandler(
  live: Live,
  resolveSession: ResolveSession,
): (c: Context<Environment>) => Promise<Response> {
  return async (c) => {
    const { headers } = c.req.raw;
    const signedIn = await resolveSession(headers, { isActivity: false });
    if (signedIn === null) throw new AppError('unauthenticated');
    if (signedIn.mustSetUpTwoFactor) throw new AppError('two_factor_required');
    c.set('userId', signedIn.actor.id);
    const cookie = new Headers({ cookie: headers.get('cookie') ?? '' });
    const encoder = new TextEncoder();
    let remove = () => {};
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          function close(): void {
            remove();
            try {
              controller.close();
            } catch {
              // The browser closed it first.
            }
          }
          function write(text: string): void {
            if ((controller.desiredSize ?? 0) <= 0) close();
            else controller.enqueue(encoder.encode(text));
          }
          const stream = {
            actor: signedIn.actor,
            send: (topic: EventTopic, position: number | null) => {
              const data = position === null ? { topic } : { topic, position };
              write(`event: changed\ndata: ${JSON.stringify(data)}\n\n`);
            },
            beat: () => write(': still here\n\n'),
            close,
            isSignedIn: async () => (await resolveSession(cookie, { isActivity: false })) !== null,
          };
          const removeStream = live.open(stream, sinceOf(c.req.query('sinceMs')));
          remove = removeStream;
          write(`retry: ${LIMITS.live.clientRetryMs}\n\n`);
        },
        cancel: () => remove(),
      },
      { highWaterMark: LIMITS.live.maxWaitingMessages },
    );
    return new Response(body, { headers: HEADERS });
  };
}

/** Milliseconds of the parameter; 0 where there is none or no such number, `MAX_SINCE_MS` at most. */
function sinceOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), MAX_SINCE_MS) : 0;
}
