import {
  CONFIRMATION_LINK_LIFE_HOURS,
  DOCUMENTS_LINK_LIFE_HOURS,
  DOCUMENTS_OPEN_HOURS,
  INVITE_LIFE_HOURS,
  REPORT_LINK_LIFE_HOURS,
  RESET_LINK_LIFE_MINUTES,
  WELCOME_LINK_LIFE_HOURS,
} from '#contract/limits.ts';
import type { Mail } from '#server/lib/mailer.ts';

/** A notification in a mail or a digest. */
interface Notice {
  title: string;
  message: string;
  /** Address of the thing it is about. */
  url: string;
}

interface Unsubscribable {
  /** Address to switch off these mails; null for mails that are always sent. */
  unsubscribeUrl: string | null;
}

/** Content of a mail, by its kind. */
export type MailContent =
  | ({
      kind: 'notification';
      /** Token of the link "This was not me"; null if there is nothing to report. */
      reportToken: string | null;
    } & Notice &
      Unsubscribable)
  | ({
      kind: 'digest';
      isWeekly: boolean;
      /** Oldest first; at least one. */
      notices: readonly Notice[];
      /** Address of all notifications. */
      inboxUrl: string;
    } & Unsubscribable)
  | { kind: 'confirm-email'; token: string }
  | { kind: 'account-exists' }
  | { kind: 'reset-password'; token: string }
  | { kind: 'choose-password'; token: string }
  | { kind: 'password-changed' }
  | { kind: 'confirm-new-email'; token: string }
  | { kind: 'email-changed'; token: string }
  | { kind: 'open-documents'; token: string }
  | { kind: 'admin-invite'; token: string; invitedBy: string };

export interface MailFrame {
  companyName: string;
  /** Public address of Purser, without a trailing slash. */
  url: string;
  firstName: string;
}

interface Action {
  label: string;
  url: string;
}

interface Letter {
  subject: string;
  /**
   * False if anybody can have it sent to anybody. It then has no text of theirs, so that it cannot
   * be used to send a message.
   */
  greetsByName: boolean;
  paragraphs: readonly string[];
  /** Shown below the paragraphs. */
  notices?: readonly Notice[];
  action: Action;
  /** Shown below the first, less prominent. */
  otherAction?: Action;
  note?: string;
  /** Address to switch off these mails; null or omitted for mails that are always sent. */
  unsubscribeUrl?: string | null;
  /** True if the purpose of the mail is its link. */
  isForLink?: boolean;
}

/** The mail's subject, plain text and HTML. */
export function renderMail(content: MailContent, frame: MailFrame): Omit<Mail, 'to'> {
  const letter = write(content, frame);
  const { action, unsubscribeUrl = null } = letter;
  return {
    subject: letter.subject,
    text: asText(letter, frame),
    html: asHtml(letter, frame),
    ...(letter.isForLink === true ? { link: action.url } : {}),
    ...(unsubscribeUrl === null ? {} : { unsubscribeUrl }),
  };
}

function write(content: MailContent, { companyName, url }: MailFrame): Letter {
  const signIn = { label: 'Sign in', url: `${url}/onboarding` };
  switch (content.kind) {
    case 'notification':
      return {
        subject: content.title,
        greetsByName: true,
        paragraphs: [content.message],
        action: { label: 'Open Purser', url: content.url },
        ...(content.reportToken !== null && reportAction(url, content.reportToken)),
        unsubscribeUrl: content.unsubscribeUrl,
      };
    case 'digest':
      return digest(content, companyName);
    case 'confirm-email':
      return {
        subject: 'Confirm your email address',
        greetsByName: false,
        paragraphs: [`To finish signing up at ${companyName}, please confirm this address.`],
        action: { label: 'Confirm email', url: linkTo(url, 'confirm', content.token) },
        note: `The link works for ${CONFIRMATION_LINK_LIFE_HOURS} hours, and only for the latest sign-up with this address. If you did not just sign up, do not open it.`,
        isForLink: true,
      };
    case 'account-exists':
      return {
        subject: 'You already have an account',
        greetsByName: false,
        paragraphs: [
          `Someone tried to create another account at ${companyName} with this address, which already has an account. Nothing was changed.`,
        ],
        action: signIn,
        note: 'If it was you and you forgot your password, you can choose a new one on the sign-in page.',
      };
    case 'reset-password':
      return {
        subject: 'Choose a new password',
        greetsByName: true,
        paragraphs: [`You asked to choose a new password for your ${companyName} account.`],
        action: { label: 'Choose a new password', url: passwordLink(url, content.token) },
        note: `The link works once, for ${RESET_LINK_LIFE_MINUTES} minutes. If you did not ask for it, you can ignore this mail. Your password stays as it is.`,
        isForLink: true,
      };
    case 'choose-password':
      return {
        subject: `Your ${companyName} account`,
        greetsByName: true,
        paragraphs: [
          `${companyName} created an account for you. There you can see your pay and withdraw it. Choose a password to sign in.`,
        ],
        action: { label: 'Choose a password', url: passwordLink(url, content.token) },
        note: `The link works once, for ${WELCOME_LINK_LIFE_HOURS} hours. After that, ask your administrator for a new one.`,
        isForLink: true,
      };
    case 'confirm-new-email':
      return {
        subject: 'Confirm your new email address',
        greetsByName: false,
        paragraphs: [
          `Someone with an account at ${companyName} wants to sign in with this address from now on. Please confirm it.`,
        ],
        action: { label: 'Confirm new email', url: linkTo(url, 'email', content.token) },
        note: `The link works for ${CONFIRMATION_LINK_LIFE_HOURS} hours. If this was not you, you can ignore this mail.`,
        isForLink: true,
      };
    case 'email-changed':
      return {
        subject: 'Your email address was changed',
        greetsByName: true,
        paragraphs: [
          `The email address of your account with ${companyName} was changed. You sign in with the new one from now on.`,
          'If this was not you, open the link. Your account then uses this address again, your payouts are frozen until an administrator has checked, and everyone is signed out.',
        ],
        action: { label: 'This was not me', url: linkTo(url, 'notme', content.token) },
        note: `The link works for ${REPORT_LINK_LIFE_HOURS / 24} days. If you changed it, or asked an administrator to, there is nothing to do.`,
      };
    case 'open-documents':
      return {
        subject: `Your payslips at ${companyName}`,
        greetsByName: true,
        paragraphs: [
          `Your account with ${companyName} is closed. Your payslips and statements are still there for you to read and keep.`,
        ],
        action: { label: 'Read my documents', url: documentsLink(url, content.token) },
        note: `The link works once, for ${DOCUMENTS_LINK_LIFE_HOURS} hours, and opens them for ${DOCUMENTS_OPEN_HOURS * 60} minutes. Ask for another one at ${url}${DOCUMENTS_PLACE}.`,
        isForLink: true,
      };
    case 'admin-invite':
      return {
        subject: `You are invited to manage ${companyName}`,
        greetsByName: false,
        paragraphs: [
          `${content.invitedBy} of ${companyName} invites you to become an administrator. Open the link to create your account, or to sign in if you have one.`,
        ],
        action: { label: 'Open invitation', url: inviteLink(url, content.token) },
        note: `The link works once, for ${INVITE_LIFE_HOURS} hours, with this address alone. If you do not expect it, you can ignore this mail.`,
        isForLink: true,
      };
    case 'password-changed':
      return {
        subject: 'Your password was changed',
        greetsByName: true,
        paragraphs: [
          `The password of your account with ${companyName} was changed, and everyone signed in with the old one was signed out.`,
        ],
        action: signIn,
        note: 'If this was not you, choose a new password now and tell your administrator.',
      };
  }
}

function reportAction(url: string, token: string): Pick<Letter, 'otherAction' | 'note'> {
  return {
    otherAction: { label: 'This was not me', url: linkTo(url, 'report', token) },
    note: `You do not have to sign in for it. The link signs everyone out and freezes your payouts. It works once, for ${REPORT_LINK_LIFE_HOURS / 24} days.`,
  };
}

/** People would not read more, and some mail programs cut long mails off. */
const MOST_NOTICES = 30;

function digest(
  { isWeekly, notices, inboxUrl, unsubscribeUrl }: Extract<MailContent, { kind: 'digest' }>,
  companyName: string,
): Letter {
  const shown = notices.slice(0, MOST_NOTICES);
  const count = notices.length === 1 ? '1 notification' : `${notices.length} notifications`;
  const more = notices.length - shown.length;
  return {
    subject: `Your ${isWeekly ? 'weekly summary' : 'daily digest'}: ${count}`,
    greetsByName: true,
    paragraphs: [`This is what happened with your ${companyName} account.`],
    notices: shown,
    action: { label: 'See all notifications', url: inboxUrl },
    unsubscribeUrl,
    ...(more > 0 && { note: `${more} more are in your notifications.` }),
  };
}

/** Address at which a password is chosen with a token. @param url the public address of Purser */
export function passwordLink(url: string, token: string): string {
  return linkTo(url, 'reset', token);
}

/** The screen of people who left. */
const DOCUMENTS_PLACE = '/my-documents';

/** The address of a link to the documents of a person who left. */
export function documentsLink(url: string, token: string): string {
  return `${url}${DOCUMENTS_PLACE}?${new URLSearchParams({ token }).toString()}`;
}

/** Address at which an invite is accepted. @param url the public address of Purser */
export function inviteLink(url: string, token: string): string {
  return linkTo(url, 'invite', token);
}

function linkTo(url: string, name: string, token: string): string {
  return `${url}/onboarding?${new URLSearchParams({ [name]: token }).toString()}`;
}

const UNSUBSCRIBE = 'Unsubscribe from these mails';

function asText(letter: Letter, frame: MailFrame): string {
  const parts = [
    greeting(letter, frame),
    ...letter.paragraphs,
    ...(letter.notices ?? []).map(
      ({ title, message, url }) => `* ${title}\n  ${message}\n  ${url}`,
    ),
    ...actionsOf(letter).map(({ label, url }) => `${label}:\n${url}`),
    ...(letter.note === undefined ? [] : [letter.note]),
    ...(letter.unsubscribeUrl == null ? [] : [`${UNSUBSCRIBE}:\n${letter.unsubscribeUrl}`]),
    `-- \n${signature(frame)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function actionsOf({ action, otherAction }: Letter): Action[] {
  return otherAction === undefined ? [action] : [action, otherAction];
}

/** Light colors of the screens, inline because many mail programs read only inline styles. */
const STYLES = {
  body: 'margin:0;padding:24px 12px;background:#f6f4ee;color:#16201d;font:16px/1.5 system-ui,sans-serif',
  sheet:
    'max-width:520px;margin:0 auto;padding:24px;background:#fffdf9;border-radius:8px;overflow-wrap:anywhere',
  action:
    'display:inline-block;padding:12px 20px;background:#16201d;color:#fffdf9;border-radius:6px;text-decoration:none',
  notice: 'margin:0;padding:12px 0;border-top:1px solid #e2ddd0',
  noticeTitle: 'color:#16201d;font-weight:600;text-decoration:none',
  quiet: 'color:#4a554f;font-size:14px',
};

/**
 * Dark colors, for the mail programs that support dark screens; the others invert by themselves.
 */
const DARK = `@media (prefers-color-scheme: dark) {
  .body { background: #0f1513 !important; color: #ebe6da !important; }
  .sheet { background: #161d1a !important; }
  .title { color: #ebe6da !important; }
  .action { background: #ebe6da !important; color: #161d1a !important; }
  .notice { border-color: #2b3531 !important; }
  .quiet { color: #b3b6ac !important; }
}`;

function asHtml(letter: Letter, frame: MailFrame): string {
  const paragraphs = [greeting(letter, frame), ...letter.paragraphs].map(
    (text) => `<p>${escape(text)}</p>`,
  );
  const notices = (letter.notices ?? []).map(
    ({ title, message, url }) =>
      `<p class="notice" style="${STYLES.notice}"><a class="title" style="${STYLES.noticeTitle}" href="${escape(url)}">${escape(title)}</a><br>${escape(message)}</p>`,
  );
  const actions = actionsOf(letter).map(({ label, url }, index) => {
    const look = index === 0 ? 'action' : 'quiet';
    return `<p><a class="${look}" style="${STYLES[look]}" href="${escape(url)}">${escape(label)}</a></p>`;
  });
  const unsubscribe =
    letter.unsubscribeUrl == null
      ? ''
      : `<br><a class="quiet" style="${STYLES.quiet}" href="${escape(letter.unsubscribeUrl)}">${UNSUBSCRIBE}</a>`;
  const note = letter.note === undefined ? '' : quiet(escape(letter.note));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(letter.subject)}</title>
<style>${DARK}</style>
</head>
<body class="body" style="${STYLES.body}">
<div class="sheet" style="${STYLES.sheet}">
${paragraphs.join('\n')}
${notices.join('\n')}
${actions.join('\n')}
${note}
${quiet(`${escape(signature(frame))}${unsubscribe}`)}
</div>
</body>
</html>
`;
}

/** @param html already escaped */
function quiet(html: string): string {
  return `<p class="quiet" style="${STYLES.quiet}">${html}</p>`;
}

function greeting(letter: Letter, { firstName }: MailFrame): string {
  return letter.greetsByName ? `Hi ${firstName},` : 'Hello,';
}

function signature({ companyName }: MailFrame): string {
  return `Purser, for ${companyName}`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
