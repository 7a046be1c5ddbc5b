import type { AdminAct } from '#contract/duties.ts';
import type { Tx } from '#server/db/tx.ts';
import { command, doneBy } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { freezePayouts, freezePayoutsOf, releasePayouts } from '#server/modules/identity/index.ts';
import { changeAccess } from './admin-proposals.ts';

type Names =
  | 'freezePayouts'
  | 'adminFreezePayouts'
  | 'adminReleasePayouts'
  | 'adminResetTwoFactor'
  | 'adminReactivatePerson'
  | 'adminRevokeAdmin';

export function securityHandlers(services: Services): Pick<Handlers, Names> {
  const onAccess =
    (act: AdminAct) =>
    (tx: Tx, by: CommandContext, given: { params: { id: string }; body: { reason: string } }) =>
      changeAccess(tx, services, by, { act, ...given.params, ...given.body });
  return {
    freezePayouts: doneBy(services, freezePayouts),
    adminFreezePayouts: doneBy(services, freezePayoutsOf),
    adminReleasePayouts: doneBy(services, releasePayouts),
    adminResetTwoFactor: command(onAccess('resetTwoFactor')),
    adminReactivatePerson: command(onAccess('reactivate')),
    adminRevokeAdmin: command(onAccess('revokeAdmin')),
  };
}
