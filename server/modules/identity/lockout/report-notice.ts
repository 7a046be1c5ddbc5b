import { kindSpec } from '#contract/notification-kinds.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { findNotice } from '#server/modules/notifications/index.ts';
import type { Call, Identity } from '../identity.ts';
import { findLink, spendLinkToken } from '../link-token.ts';
import { takeAddressBack } from './report-email-change.ts';
import { openReport, shutOut } from './shut-out.ts';

/**
 * "This was not me", by the link in the mail of a security notice, without signing in: whoever changed the
 * password may have shut the owner out. Everybody is, as `shutOut` says. An address that was changed after the mail
 * is taken back, because that mail went to the former one. The link works once, so that it cannot undo what its owner
 * did afterwards.
 *
 * @throws {AppError} `link_invalid`
 */
export async function reportNotice(
  identity: Identity,
  { origin }: Call,
  token: string,
): Promise<void> {
  const { at, link, passwordHash } = await openReport(identity, 'report-notice', token);
  await withTx(identity.db, async (tx) => {
    const mailed = await findLink(tx, link);
    const notice = mailed === null ? null : await findNotice(tx, mailed.value);
    if (mailed === null || notice === null) throw new AppError('link_invalid');
    const { userId, kind, createdAt: since } = notice;
    await lockUser(tx, userId);
    // The second of two concurrent reports finds it spent.
    if ((await spendLinkToken(tx, link)) === null) throw new AppError('link_invalid');
    const by = { actor: 'visitor', origin } as const;
    const name = await shutOut(tx, by, { userId, passwordHash, since, at });
    await takeAddressBack(tx, by, { userId, since: mailed.createdAt, name, at });
    record(tx, by, 'notice.reported', {
      id: userId,
      at,
      details: { notice: kind },
      words: { name, title: kindSpec(kind)?.title ?? kind },
    });
  });
}
