import { command } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { freezePayouts, freezePayoutsOf, releasePayouts } from '#server/modules/identity/index.ts';

type Names = 'freezePayouts' | 'adminFreezePayouts' | 'adminReleasePayouts';

export function securityHandlers(services: Services): Pick<Handlers, Names> {
  return {
    freezePayouts: command(async (tx, by) => {
      await freezePayouts(tx, services, by);
      return { ok: true };
    }),
    adminFreezePayouts: command(async (tx, by, { params, body }) => {
      await freezePayoutsOf(tx, services, by, { id: params.id, reason: body.reason });
      return { ok: true };
    }),
    adminReleasePayouts: command(async (tx, by, { params, body }) => {
      await releasePayouts(tx, services, by, { id: params.id, reason: body.reason });
      return { ok: true };
    }),
  };
}
