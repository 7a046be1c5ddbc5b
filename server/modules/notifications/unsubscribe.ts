import { createHmac, timingSafeEqual } from 'node:crypto';
import { EMAIL_SWITCHES } from '#contract/notifications.ts';
import type { EmailSwitch } from '#contract/notifications.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { writeEmailPreferences } from './email-preferences.ts';

/** What a link in a mail switches off: one of the switches, or mail altogether. */
export type Unsubscribed = EmailSwitch | 'emailEnabled';

/** Links by which a person switches mail off without signing in (RFC 8058). */
export interface UnsubscribeLinks {
  /** The address of the page, which also takes the mail program's one click. */
  urlFor(userId: string, what: Unsubscribed): string;
  /** @throws {AppError} `link_invalid` where a character differs */
  read(token: string): { userId: string; what: Unsubscribed };
}

/**
 * A link says for whom and what in plain words, and is signed; it holds nothing secret, works for as long
 * as the mail is kept, and can do nothing but switch mail off.
 *
 * @param secrets the present one, which signs, and former ones, which are still taken
 * @param url where people reach Purser, without a closing slash
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
 * Switches off what the link of a mail says, for its owner. What matters for security is mailed in any
 * case. Harmless the second time.
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
  return { what };
}
