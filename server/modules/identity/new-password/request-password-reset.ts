import { withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import { record } from '#server/modules/journal/index.ts';
import { answerByMail } from '../answer-after.ts';
import type { Call, Identity } from '../identity.ts';
import { findUserByEmail } from '../queries.ts';

/**
 * Asks for a mail with a link to choose a new password. The link's token does not exist yet: it is
 * made when the mail is sent (docs/decisions/001-links-in-mail.md).
 */
export async function requestPasswordReset(
  identity: Identity,
  { origin }: Call,
  email: string,
): Promise<void> {
  await answerByMail(identity, { origin }, email, async () => {
    const user = await findUserByEmail(identity.db, email);
    if (user === undefined || user.isDeactivated) return;
    await withTx(identity.db, async (tx) => {
      record(tx, { actor: 'visitor', origin }, 'password.reset_requested', { id: user.id });
      enqueueMail(tx, { kind: 'reset-password', userId: user.id });
    });
  });
}
