import { join } from 'node:path';
import { expect } from '@playwright/test';
import { mailHeader, mailsIn, readableMail } from '#scripts/mail-folder.ts';
import { DATA_DIR } from './place.ts';

const MAIL_DIR = join(DATA_DIR, 'mail');

/**
 * Waits for a mail to that address and returns its text, read as a person would see it.
 *
 * @param subject words of its subject
 */
export async function receiveMail(to: string, subject: string): Promise<string> {
  let text = '';
  await expect(() => {
    const mail = mailsIn(MAIL_DIR, to).find((each) =>
      mailHeader(each, 'Subject').includes(subject),
    );
    expect(mail, `a mail to ${to} about "${subject}"`).toBeDefined();
    text = mail === undefined ? '' : readableMail(mail);
  }).toPass({ timeout: 60_000 });
  return text;
}
