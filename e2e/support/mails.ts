import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
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
    const mail = mailsTo(to).find((each) => header(each, 'Subject').includes(subject));
    expect(mail, `a mail to ${to} about "${subject}"`).toBeDefined();
    text = mail === undefined ? '' : decode(mail);
  }).toPass({ timeout: 60_000 });
  return text;
}

/** Every mail to that address so far, newest first, as it was kept. */
export function mailsTo(to: string): string[] {
  if (!existsSync(MAIL_DIR)) return [];
  return readdirSync(MAIL_DIR)
    .toSorted()
    .toReversed()
    .map((name) => readFileSync(join(MAIL_DIR, name), 'utf8'))
    .filter((mail) => header(mail, 'To').includes(to));
}

function header(mail: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(mail)?.[1] ?? '';
}

/** Undoes quoted-printable, in which a long link is broken over lines. */
function decode(mail: string): string {
  const joined = mail.replaceAll(/=\r?\n/g, '');
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
