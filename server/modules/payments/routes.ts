import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { findRecipient } from './find-recipient.ts';
import { listPayees, removePayee } from './payees.ts';
import { payPerson } from './pay-person.ts';

type Names = 'findRecipient' | 'payPerson' | 'listPayees' | 'removePayee';

export function paymentHandlers(
  services: Services,
  { attempts }: Pick<Identity, 'attempts'>,
): Pick<Handlers, Names> {
  return {
    findRecipient: query((db, { actor }, { body }) =>
      findRecipient(
        db,
        { clock: services.clock, attempts },
        { userId: actor.id, email: body.email },
      ),
    ),
    payPerson: command((tx, by, { body }) => payPerson(tx, services, by, body)),
    listPayees: query((db, { actor }) => listPayees(db, services, actor.id)),
    removePayee: command((tx, by, { params }) => removePayee(tx, services, by, params.id)),
  };
}
