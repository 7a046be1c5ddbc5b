import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All mails in a folder to this address, newest first, as they were sent. File names sort by age. */
export function mailsIn(folder: string, to: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .toReversed()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mailHeader(mail, 'To').includes(to));
}

export function mailHeader(mail: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(mail)?.[1] ?? '';
}

/** The text of a mail as a person reads it: quoted-printable breaks a long link over lines. */
export function readableMail(mail: string): string {
  const joined = mail.replaceAll(/=\r?\n/g, '');
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
