import { enqueueMail } from '#server/events/outbox.ts';
import { command, doneBy, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { inviteLink } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { listAdmins, listInvites } from './admins.ts';
import { createInvite } from './create-invite.ts';
import type { Identity } from '../identity.ts';
import { revokeInvite } from './revoke-invite.ts';

type AdminsRoute =
  | 'adminListAdmins'
  | 'adminListInvites'
  | 'adminCreateInvite'
  | 'adminRevokeInvite';

/** Operations on administrators and on invites to become one. */
export function adminsHandlers(
  services: Services,
  { url, confirmsEmail }: Pick<Identity, 'url' | 'confirmsEmail'>,
): Pick<Handlers, AdminsRoute> {
  return {
    adminListAdmins: query((db, { actor }) => listAdmins(db, services, actor.id)),
    adminListInvites: query((db, { actor }) => listInvites(db, services, actor.id)),
    adminCreateInvite: command(async (tx, by, { body: { email } }) => {
      const bound = email === null ? {} : { email };
      const { id, token, expiresAt } = await createInvite(tx, services, by, bound);
      const isMailed = email !== null && confirmsEmail;
      if (isMailed) {
        const payload = { inviteId: id };
        enqueueMail(tx, { kind: 'admin-invite', userId: by.actor.id, payload });
      }
      return {
        id,
        email,
        expiresAt: expiresAt.toISOString(),
        link: isMailed ? null : inviteLink(url, token),
      };
    }),
    adminRevokeInvite: doneBy(services, revokeInvite),
  };
}
