import { join } from 'node:path';
import type { Mailer } from '#server/lib/mailer.ts';
import { createLocalMailer } from './local-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

export interface MailOptions {
  /** Null: mail is kept in the data folder. */
  smtpUrl: string | null;
  /** Where people reach Purser; names the sender where `from` does not. */
  publicUrl: string;
  /** The sender, `Tallis & Reed <payroll@example.com>`; null: `purser@` the public host. */
  from: string | null;
  dataDir: string;
  /** Called with where mail is kept that was not sent. */
  log: (sentence: string) => void;
}

/** The real mailer where a mail server is set, else the one that keeps mail in the data folder. */
export function createMailer(options: MailOptions): Mailer {
  const { smtpUrl, publicUrl, dataDir, log } = options;
  const from = options.from ?? `Purser <purser@${new URL(publicUrl).hostname}>`;
  return smtpUrl === null
    ? createLocalMailer({ dir: join(dataDir, 'mail'), from, log })
    : createSmtpMailer({ url: smtpUrl, from });
}
