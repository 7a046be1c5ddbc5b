import {
  CONFIRMATION_LINK_LIFE_HOURS,
  REPORT_LINK_LIFE_HOURS,
  RESET_LINK_LIFE_MINUTES,
} from '#contract/limits.ts';
import type { MailLinks } from '#server/modules/notifications/index.ts';
import { createConfirmationToken } from './confirmation-token.ts';
import { createPasswordTokens } from './new-password/create-password-tokens.ts';
import { createInviteToken } from './invites/find-invite.ts';
import type { Identity } from './identity.ts';
import { createDocumentsToken } from './sessions/leaver-access.ts';
import { createLinkToken } from './link-token.ts';
import { findUserByEmail } from './queries.ts';

export function mailLinks(identity: Identity): MailLinks {
  return {
    async resetToken(email) {
      const user = await findUserByEmail(identity.db, email);
      if (user === undefined) return null;
      return createLinkToken(identity.db, {
        purpose: 'reset-password',
        value: user.id,
        now: identity.services.clock.now(),
        lifeHours: RESET_LINK_LIFE_MINUTES / 60,
      });
    },
    async welcomeToken(email) {
      const user = await findUserByEmail(identity.db, email);
      if (user === undefined) return null;
      const { tokens } = await createPasswordTokens(identity, [user.id]);
      return tokens.get(user.id) ?? null;
    },
    confirmationToken: (email) => createConfirmationToken(identity, email),
    changeToken: (id) => createChangeToken(identity, id),
    reportToken: (id) => createReportToken(identity, 'report-email', id),
    noticeToken: (id) => createReportToken(identity, 'report-notice', id),
    documentsToken: (email) => createDocumentsToken(identity, email),
    inviteToken: (id) => createInviteToken(identity, id),
  };
}

function createReportToken(
  { db, services }: Identity,
  purpose: 'report-email' | 'report-notice',
  value: string,
): Promise<string> {
  const now = services.clock.now();
  return createLinkToken(db, { purpose, value, now, lifeHours: REPORT_LINK_LIFE_HOURS });
}

async function createChangeToken(
  { db, services }: Identity,
  emailChangeId: string,
): Promise<string | null> {
  const pending = await db
    .selectFrom('emailChange')
    .select('id')
    .where('id', '=', emailChangeId)
    .where('confirmedAt', 'is', null)
    .where('cancelledAt', 'is', null)
    .executeTakeFirst();
  if (pending === undefined) return null;
  return createLinkToken(db, {
    purpose: 'change-email',
    value: emailChangeId,
    now: services.clock.now(),
    lifeHours: CONFIRMATION_LINK_LIFE_HOURS,
  });
}
