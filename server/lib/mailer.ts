/** A mail, ready to send. */
export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Link to open, if the mail is about one: a mailer that sends nothing shows it. */
  link?: string;
  /** Address to switch these mails off, by a page or a mail program's one click (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Result of sending a mail. */
export type MailOutcome = 'sent' | 'unknown';

/** Sender of mails. */
export interface Mailer {
  /**
   * Sends a mail. `unknown`: the server says that the address does not exist, so a retry is
   * pointless. Throws when the mail was not accepted for another reason, which may be temporary or
   * can be fixed. The error has no address, because jobs store their errors.
   */
  send(mail: Mail): Promise<MailOutcome>;
  /**
   * Throws when no mail could be sent at the moment, or when the server refused the last one for a
   * reason other than its recipient; sends none. The error has no login.
   */
  verify(): Promise<void>;
  /** Closes its connections. */
  close(): void;
}
