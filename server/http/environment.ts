import type { HttpBindings } from '@hono/node-server';
import type { RequestOrigin } from '#server/lib/actor.ts';
import type { LimitUse } from './rate-limit.ts';

/** Values of a request in the HTTP layer. `Bindings` are absent in tests without a port. */
export interface Environment {
  Bindings: Partial<HttpBindings>;
  Variables: {
    origin: RequestOrigin;
    /** Name of the operation, or of another handler; for the log and the metrics. */
    route: string;
    userId: string | null;
    /** Use of the limit of the calling API key, or of a person's reads; undefined for the rest. */
    limitUse: LimitUse | undefined;
  };
}
