import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { listAdmins, listInvites } from './admins.ts';
import { createInvite } from './create-invite.ts';
import { revokeInvite } from './revoke-invite.ts';

type AdminsRoute =
  | 'adminListAdmins'
  | 'adminListInvites'
  | 'adminCreateInvite'
  | 'adminRevokeInvite';

/** Who is an administrator, and who may become one. */
export function adminsHandlers(services: Services): Pick<Handlers, AdminsRoute> {
  return {
    adminListAdmins: query((db, { actor }) => listAdmins(db, services, actor.id)),
    adminListInvites: query((db) => listInvites(db, services)),
    adminCreateInvite: command(async (tx, by, { body: { email } }) => {
      const bound = email === null ? {} : { email };
      const { id, token, expiresAt } = await createInvite(tx, services, by, bound);
      notifyAdmins(tx, {
        kind: 'administrator-invited',
        message: `${by.actor.name} made an invite for ${email ?? 'whoever has its token'}.`,
        at: services.clock.now(),
      });
      return { id, token, email, expiresAt: expiresAt.toISOString() };
    }),
    adminRevokeInvite: command(async (tx, by, { params }) => {
      await revokeInvite(tx, services, by, params.id);
      return { ok: true };
    }),
  };
}
