import { doneBy } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { freezePayouts, freezePayoutsOf, releasePayouts } from '#server/modules/identity/index.ts';

type Names = 'freezePayouts' | 'adminFreezePayouts' | 'adminReleasePayouts';

export function securityHandlers(services: Services): Pick<Handlers, Names> {
  return {
    freezePayouts: doneBy(services, freezePayouts),
    adminFreezePayouts: doneBy(services, freezePayoutsOf),
    adminReleasePayouts: doneBy(services, releasePayouts),
  };
}
