import type { HttpBindings } from '@hono/node-server';
import type { RequestOrigin } from '#server/lib/actor.ts';
import type { LimitUse } from './rate-limit.ts';

/** What travels with a request through the HTTP layer. `Bindings` are absent in tests without a port. */
export interface Environment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    origin: RequestOrigin;
    /** The operation's name, or what else answered: for the log and the metrics. */
    route: string;
    userId: string | null;
    /** Use of the limit of the API key that asks; undefined for everybody else. */
    keyUse: LimitUse | undefined;
  };
}
