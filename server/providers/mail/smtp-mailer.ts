import { createTransport } from 'nodemailer';
import type { Mailer, MailOutcome } from '#server/lib/mailer.ts';
import { mailHeaders } from './mail-headers.ts';
import { errorCode } from '#server/lib/start-error.ts';

export interface SmtpOptions {
  /** `smtps://user:password@mail.example.com:465`, in nodemailer's format. */
  url: string;
  /** The sender, `Purser <purser@example.com>`. */
  from: string;
  /** In milliseconds; shorter in tests. */
  timeouts?: typeof TIMEOUTS;
}

/** Longer than a busy server takes; a dead server does not hold a job for ever. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends by SMTP over a few connections that are kept open. Attachments by path or address are
 * disabled.
 */
export function createSmtpMailer({ url, from, timeouts = TIMEOUTS }: SmtpOptions): Mailer {
  const transport = createTransport(
    { url, pool: true, maxConnections: 3, ...timeouts },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  /**
   * Reply to the last mail, if the server refuses all our mails; signing in alone does not show
   * that.
   */
  let refusal: string | undefined;
  return {
    async send({ to, subject, text, html, unsubscribeUrl }): Promise<MailOutcome> {
      const headers = mailHeaders(unsubscribeUrl);
      try {
        await transport.sendMail({ to, subject, text, html, headers });
      } catch (error) {
        if (isUnknown(error)) return 'unknown';
        if (isRefusedToUs(error)) refusal = reasonOf(error);
        return failToSend(error);
      }
      refusal = undefined;
      return 'sent';
    },
    async verify() {
      await transport.verify().catch(explainUnready);
      if (refusal !== undefined) {
        throw new Error(`The mail server refuses our mails (${refusal})`);
      }
    },
    close: () => transport.close(),
  };
}

/** SMTP code with its enhanced code, or else the system's: `554 5.7.1`, `535`, `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const code = enhancedCode(error);
  return [
    responseCode(error) ?? errorCode(error) ?? 'unknown reason',
    ...(code ? [code] : []),
  ].join(' ');
}

/** The cause is not part of the thrown error: it repeats the address and may contain the login. */
function failToSend(error: unknown): never {
  throw new Error(`The mail server did not take the mail (${reasonOf(error)})`);
}

function explainUnready(error: unknown): never {
  throw new Error(`The mail server is not ready (${reasonOf(error)})`);
}

/**
 * True if the server replies to RCPT TO that there is no such address (RFC 3463, 3.2): X.1.1 to
 * X.1.6 and X.1.10 are about the recipient's, X.1.7 and X.1.8 about the sender's. A full mailbox, a
 * policy, or a reply without that code says nothing about the address.
 */
function isUnknown(error: unknown): boolean {
  const code = responseCode(error) ?? 0;
  return (
    isOfRecipient(error) &&
    [550, 551, 553].includes(code) &&
    /^5\.1\.(?:[1-6]|10)$/.test(enhancedCode(error) ?? '')
  );
}

/**
 * True if the server refuses all our mails and not only this recipient's: any permanent refusal of
 * another command, of the sender's address (5.1.7, 5.1.8), or by policy (5.7.1, "Relay access
 * denied").
 */
function isRefusedToUs(error: unknown): boolean {
  if ((responseCode(error) ?? 0) < 500) return false;
  return !isOfRecipient(error) || /^5\.(?:1\.[78]$|7\.)/.test(enhancedCode(error) ?? '');
}

function isOfRecipient(error: unknown): boolean {
  return error instanceof Error && 'command' in error && error.command === 'RCPT TO';
}

/** `5.7.1` from `554 5.7.1 Relay access denied`. */
function enhancedCode(error: unknown): string | undefined {
  const reply = error instanceof Error && 'response' in error ? error.response : undefined;
  return typeof reply === 'string'
    ? /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1]
    : undefined;
}

function responseCode(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;
}
