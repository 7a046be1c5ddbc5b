import { createTransport } from 'nodemailer';
import type { Mailer, MailOutcome } from '#server/lib/mailer.ts';
import { mailHeaders } from './mail-headers.ts';
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
  /** The answer to the last mail, if the server refuses mails of ours at all; a sign-in alone does not show it. */
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

/** The SMTP code with its enhanced code, or else the system's: `554 5.7.1`, `535`, `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const code = enhancedCode(error);
  return [
    responseCode(error) ?? errorCode(error) ?? 'unknown reason',
    ...(code ? [code] : []),
  ].join(' ');
}

/** The cause stays out of what is thrown: it repeats the address and may hold the login. */
function failToSend(error: unknown): never {
  throw new Error(`The mail server did not take the mail (${reasonOf(error)})`);
}

function explainUnready(error: unknown): never {
  throw new Error(`The mail server is not ready (${reasonOf(error)})`);
}

/**
 * True if the server says, to RCPT TO, that there is no such address (RFC 3463, 3.2): X.1.1 to X.1.6 and
 * X.1.10 are about the recipient's, X.1.7 and X.1.8 about the sender's. A full mailbox, a policy, or an
 * answer without that code says nothing about the address.
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
 * True if the server refuses mails of ours and not this recipient's alone: any lasting refusal of another
 * command, of the sender's address (5.1.7, 5.1.8), or by policy (5.7.1, "Relay access denied").
 */
function isRefusedToUs(error: unknown): boolean {
  if ((responseCode(error) ?? 0) < 500) return false;
  return !isOfRecipient(error) || /^5\.(?:1\.[78]$|7\.)/.test(enhancedCode(error) ?? '');
}

function isOfRecipient(error: unknown): boolean {
  return error instanceof Error && 'command' in error && error.command === 'RCPT TO';
}

/** `5.7.1` of `554 5.7.1 Relay access denied`. */
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
