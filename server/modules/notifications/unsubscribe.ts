import { createHmac, timingSafeEqual } from 'node:crypto';
import { EMAIL_SWITCHES } from '#contract/notifications.ts';
import type { EmailSwitch } from '#contract/notifications.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { writeEmailPreferences } from './email-preferences.ts';

/** Mails that a link switches off: those of one switch, or all. */
export type Unsubscribed = EmailSwitch | 'emailEnabled';

/** Links with which a person switches mail off without signing in (RFC 8058). */
export interface UnsubscribeLinks {
  /** Address of the page, which also accepts the mail program's one-click request. */
  urlFor(userId: string, what: Unsubscribed): string;
  /** @throws {AppError} `link_invalid` if a character differs */
  read(token: string): { userId: string; what: Unsubscribed };
}

/**
 * A link has the person and the switch in plain text, and is signed. It has nothing secret, works
 * as long as the mail is kept, and can only switch mail off.
 *
 * @param secrets the current one, which signs, and former ones, which are still accepted
 * @param url public address of Purser, without a trailing slash
 */
export function createUnsubscribeLinks({
  secrets,
  url,
}: {
  secrets: readonly string[];
  url: string;
}): UnsubscribeLinks {
  const present = invariant(secrets[0], 'nothing to sign links with');
  const sign = (words: string, secret: string) =>
    createHmac('sha256', secret).update(`unsubscribe ${words}`).digest('base64url');
  return {
    urlFor(userId, what) {
      const words = `${userId}.${what}`;
      return `${url}/unsubscribe?token=${words}.${sign(words, present)}`;
    },
    read(token) {
      const [userId = '', name = '', signature = '', ...more] = token.split('.');
      const given = Buffer.from(signature);
      const what = ['emailEnabled' as const, ...EMAIL_SWITCHES].find((one) => one === name);
      const isSigned = secrets.some((secret) => {
        const expected = Buffer.from(sign(`${userId}.${name}`, secret));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      if (!isSigned || what === undefined || more.length > 0) throw new AppError('link_invalid');
      return { userId, what };
    },
  };
}

/**
 * Switches off the mails that the link names, for its owner. Mails that matter for security are
 * sent in any case. Harmless the second time.
 *
 * @throws {AppError} `link_invalid`
 */
export async function unsubscribe(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  { links, token }: { links: UnsubscribeLinks; token: string },
): Promise<{ what: Unsubscribed }> {
  const { userId, what } = links.read(token);
  await writeEmailPreferences(tx, userId, { change: { [what]: false }, at: clock.now() });
  publish(tx, { topic: 'notifications', userId });
  return { what };
}
