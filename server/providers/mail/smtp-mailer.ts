import { createTransport } from 'nodemailer';
import type { Mailer, MailOutcome } from '#server/lib/mailer.ts';
import { unsubscribeHeaders } from './unsubscribe-headers.ts';
import { errorCode } from '#server/lib/start-error.ts';

export interface SmtpOptions {
  /** `smtps://user:password@mail.example.com:465`, as nodemailer reads it. */
  url: string;
  /** The sender, `Purser <purser@example.com>`. */
  from: string;
  /** In milliseconds; tests have less patience. */
  timeouts?: typeof TIMEOUTS;
}

/** Longer than a busy server takes; a job slot is not held for ever by a dead one. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends by SMTP over a few connections that are kept open. Attachments by path or address are off. */
export function createSmtpMailer({ url, from, timeouts = TIMEOUTS }: SmtpOptions): Mailer {
  const transport = createTransport(
    { url, pool: true, maxConnections: 3, ...timeouts },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    send: ({ to, subject, text, html, unsubscribeUrl }) =>
      transport
        .sendMail({ to, subject, text, html, headers: unsubscribeHeaders(unsubscribeUrl) })
        .then((): MailOutcome => 'sent', explainFailure),
    verify: () => transport.verify().then(() => undefined, explainUnready),
    close: () => transport.close(),
  };
}

/** The cause stays out of what is thrown: it repeats the address and may hold the login. */
function explainFailure(error: unknown): Exclude<MailOutcome, 'sent'> {
  if (isRefusedForGood(error)) return isUnknown(error) ? 'unknown' : 'refused';
  throw new Error(`The mail server did not take the mail (${reasonOf(error)})`);
}

/** The SMTP code, or else the system's: `535`, `ECONNREFUSED`. */
function reasonOf(error: unknown): string | number {
  return responseCode(error) ?? errorCode(error) ?? 'unknown reason';
}

function explainUnready(error: unknown): never {
  throw new Error(`The mail server is not ready (${reasonOf(error)})`);
}

/** A 5xx answer to RCPT TO: no such mailbox (RFC 5321, 4.2.1). Other 5xx may be our settings. */
function isRefusedForGood(error: unknown): boolean {
  const isOfRecipient = error instanceof Error && 'command' in error && error.command === 'RCPT TO';
  return isOfRecipient && (responseCode(error) ?? 0) >= 500;
}

/**
 * Whether the server says that there is no such address (RFC 3463, 3.2): X.1.1 to X.1.6 and X.1.10 are
 * about the recipient's, X.1.7 and X.1.8 about the sender's. A full mailbox, a policy, or an answer
 * without that code says nothing about the address.
 */
function isUnknown(error: unknown): boolean {
  const reply = error instanceof Error && 'response' in error ? error.response : undefined;
  return typeof reply === 'string' && /^55[013][ -]5\.1\.(?:[1-6]|10)(?!\d)/.test(reply);
}

function responseCode(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;
}
