import { setTimeout as sleep } from 'node:timers/promises';
import { mailHeader, mailsIn, readableMail } from '#scripts/mail-folder.ts';

const WAIT_MS = 60_000;

/** The mailbox that Postfix delivers to. */
export interface Mailbox {
  /**
   * Waits for a mail that Postfix delivered to this address and returns its text.
   *
   * @throws Error when none comes within a minute
   */
  read(to: string, subject: string): Promise<string>;
  /** Waits for a mail with a link, and returns the token of the link. */
  readToken(to: string, subject: string): Promise<string>;
}

/** @param folder of one mail a file, as delivered */
export function openMailbox(folder: string): Mailbox {
  async function read(to: string, subject: string): Promise<string> {
    for (const giveUpAt = Date.now() + WAIT_MS; ;) {
      const mails = mailsIn(folder, to);
      const mail = mails.find((each) => mailHeader(each, 'Subject').includes(subject));
      if (mail !== undefined) return readableMail(mail);
      if (Date.now() > giveUpAt) {
        const others = mails.map((each) => mailHeader(each, 'Subject')).join(', ') || 'none';
        throw new Error(`No mail to ${to} about "${subject}" was delivered; there are: ${others}`);
      }
      await sleep(100);
    }
  }
  return {
    read,
    async readToken(to, subject) {
      const text = await read(to, subject);
      const token = tokenIn(text);
      if (token === undefined) throw new Error(`The mail "${subject}" has no link: ${text}`);
      return token;
    },
  };
}

/** The token of the first link with one: `https://.../onboarding?invite=...`. */
export function tokenIn(text: string): string | undefined {
  return /https:\/\/\S+?[?&#]\w+=([\w-]{20,})/.exec(text)?.[1];
}
