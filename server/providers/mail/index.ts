import { join } from 'node:path';
import type { Mailer } from '#server/lib/mailer.ts';
import { createLocalMailer } from './local-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

export interface MailOptions {
  /** Null: mail is stored in the data folder. */
  smtpUrl: string | null;
  /** Public address of Purser; names the sender if `from` does not. */
  publicUrl: string;
  /** Sender, `Tallis & Reed <payroll@example.com>`; null: `purser@` the public host. */
  from: string | null;
  dataDir: string;
  /** Called with the place of stored mail that was not sent. */
  log: (sentence: string) => void;
}

/**
 * The SMTP mailer if a mail server is configured, else the one that stores mail in the data folder.
 */
export function createMailer(options: MailOptions): Mailer {
  const { smtpUrl, publicUrl, dataDir, log } = options;
  const from = options.from ?? `Purser <purser@${new URL(publicUrl).hostname}>`;
  return smtpUrl === null
    ? createLocalMailer({ dir: join(dataDir, 'mail'), from, log })
    : createSmtpMailer({ url: smtpUrl, from });
}
