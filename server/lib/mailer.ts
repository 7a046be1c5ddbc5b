/** A mail, ready to go. */
export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** What the reader is to open, when the mail is about that: a mailer that sends nothing shows it. */
  link?: string;
  /** Where the reader switches such mails off, by a page or one click of the mail program (RFC 8058). */
  unsubscribeUrl?: string;
}

/** What became of a mail. */
export type MailOutcome = 'sent' | 'unknown';

/** The way out for mail. */
export interface Mailer {
  /**
   * `unknown`: the server says that the address does not exist, so trying again is pointless.
   * Throws when the mail was not taken for another reason, which may go away or be put right; the error
   * names no address, because jobs keep their errors.
   */
  send(mail: Mail): Promise<MailOutcome>;
  /**
   * Throws when no mail could go out at the moment, or when the server refused the last one for a reason
   * that is not its recipient's; sends none. The error names no login.
   */
  verify(): Promise<void>;
  /** Closes the connections it holds. */
  close(): void;
}
