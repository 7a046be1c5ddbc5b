import { withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from './notify.ts';

/** True if the mail server has said that an address does not exist. */
export async function isSuppressed(reader: Reader, email: string): Promise<boolean> {
  const row = await reader
    .selectFrom('mailSuppression')
    .select('email')
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

interface Person {
  id: string;
  name: string;
  /** Current address. */
  email: string;
}

/**
 * Stops sending to an address after the mail server said that it does not exist. Repeated attempts
 * would harm our reputation with that server. Notifies the admins once.
 *
 * @param refused.address the person's own, or the other one of a change of address
 */
export async function suppressMail(
  db: Db,
  { address, person, at }: { address: string; person: Person; at: Date },
): Promise<void> {
  await withTx(db, async (tx) => {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('mailSuppression')
      .values({ email: address, since: at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return;
    const { id } = person;
    recordAudit(tx, {
      by: { actor: 'system' },
      action: 'mail.stopped',
      subjectType: 'user',
      subjectId: id,
      personId: id,
    });
    // Admins are not notified about an address that the person only wants to change to; the person
    // can correct it.
    if (address === person.email) {
      notifyAdmins(tx, {
        kind: 'mail-address-refused',
        message: `The mail server says that the email address of ${person.name} does not exist. Nothing more is sent to it.`,
        relatedId: id,
        at,
      });
    }
    publish(tx, { topic: 'notifications', userId: id }, { topic: 'people', userId: null });
  });
}

/**
 * Resumes mail to a person's address. If the address is refused again, mail stops again. Mails that
 * were not sent until then are only in the inbox.
 *
 * @throws {AppError} `mail_not_stopped`, also if there is no such person
 */
export async function resumeMail(tx: Tx, by: CommandContext, userId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('mailSuppression')
    .where('email', '=', (select) =>
      select.selectFrom('appUser').select('appUser.email').where('id', '=', userId),
    )
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('mail_not_stopped');
  recordAudit(tx, {
    by,
    action: 'mail.resumed',
    subjectType: 'user',
    subjectId: userId,
    personId: userId,
  });
  publish(tx, { topic: 'notifications', userId });
}

/** Clears the suppression of an address whose owner has just opened a mail sent to it. */
export async function forgetSuppression(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('mailSuppression').where('email', '=', email).execute();
}
