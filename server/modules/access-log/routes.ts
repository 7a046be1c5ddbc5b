import type { Handlers } from '#server/http/handlers.ts';
import { query } from '#server/http/handlers.ts';
import { listAccessLog } from './access-log.ts';

/** Handlers for employees to read who opened their information. */
export function accessLogHandlers(): Pick<Handlers, 'listMyAccessLog'> {
  return {
    listMyAccessLog: query((db, { actor }, input) =>
      listAccessLog(db, { userId: actor.id, page: input.query }),
    ),
  };
}
