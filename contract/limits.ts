/** Numbers the product promises (docs/rules.md, "Limits"). */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;
/** From here on a password is Strong whatever its characters. */
export const PASSWORD_LONG_LENGTH = 20;
/** Sign-up is refused below this strength score. */
export const PASSWORD_MIN_STRENGTH = 3;

export const NAME_MAX_LENGTH = 80;
export const EMAIL_MAX_LENGTH = 254;
export const DESCRIPTION_MAX_LENGTH = 200;
export const REASON_MAX_LENGTH = 500;
export const NOTES_MAX_LENGTH = 2_000;
export const SEARCH_MAX_LENGTH = 100;

export const PAGE_SIZE = 10;
export const ADMIN_PAGE_SIZE = 15;
export const MAX_PAGE_SIZE = 100;
/** Maximum number of payouts whose whole account numbers are shown together. */
export const MAX_CHOSEN_PAYOUTS = 100;
/** Largest number in a column of PostgreSQL's type `integer`: versions of rows, numbers of lines. */
export const MAX_COLUMN_INTEGER = 2_147_483_647;
/** Highest page number. Beyond it, use a filter. */
export const MAX_PAGE = 10_000;
/** Largest number in a badge; of more it says "99+", and nobody counts further. */
export const MAX_BADGE = 99;
export const RECENT_WITHDRAWALS = 5;
export const RECENT_ACTIVITY = 5;
/** So many days before a payday administrators are reminded of a payroll that was not sent. */
export const PAYROLL_REMINDER_DAYS = 3;
/** So many days before a payday its payroll is prepared from usual pay. */
export const PAYROLL_PREPARED_DAYS = 7;
/** Rows of each part of an employee's page; the rest is in the part's own list. */
export const EMPLOYEE_PAGE_ROWS = 5;
export const ADMIN_RECENT_ACTIVITY = 4;
export const UPCOMING_PAYROLL = 5;
export const CASH_OUT_WEEKS = 8;
/** Payees that one person may save. */
export const MAX_PAYEES = 100;
/** Entries of an account that are proven at a time, with the balance before them. */
export const PROOF_ENTRIES = 20;
/** Blocks of the sealed books that are sent at a time. */
export const PROOF_BLOCKS = 1_000;
/** Blocks that a browser follows at a time before it asks whether to go on. */
export const PROOF_BLOCKS_FOLLOWED = 5_000;
/** Months whose last root can be kept: back to the first in all but the longest lives of a company. */
export const LEDGER_ROOT_MONTHS = 240;
/** Lines a payroll preview shows; the counts and the total are always of all of them. */
export const PREVIEW_LINES = 100;
/** People of a group of differences in one reply; the counts and sums are of all of them. */
export const DIFFERENCE_ROWS = 100;

export const DRAFT_NAME_MAX_LENGTH = 80;
/** People of a draft in one reply. */
export const DRAFT_PAGE = 5_000;
/** Most amounts that one save of a draft changes: with all its texts, they fit in a request (`MAX_BODY_BYTES`). */
export const DRAFT_CHANGES = 2_000;
/** Most people who are chosen by name when a draft is made; as many as fit in a request. */
export const CHOSEN_PEOPLE = 5_000;

export const INVITE_LIFE_HOURS = 72;
/** Invites an admin sees, the newest; older ones are in the audit trail. */
export const INVITES_SHOWN = 50;
/** API keys an admin sees, the newest; older ones are in the audit trail. */
export const API_KEYS_SHOWN = 100;
/** Views of lists that one admin may keep. */
export const MAX_SAVED_VIEWS = 50;
/** Addresses that a company has its events sent to. */
export const MAX_WEBHOOKS = 20;
/** Messages to one of them that an admin sees, the newest. */
export const WEBHOOK_DELIVERIES_SHOWN = 50;
/** Time during which a replaced secret also signs. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
export const RESET_LINK_LIFE_MINUTES = 60;
/** Life of the link by which a person whom an admin added chooses a password. */
export const WELCOME_LINK_LIFE_HOURS = 72;
/** People in one request for links to a first password. */
export const MAX_PASSWORD_LINKS = 100;

/** Life of a link by which a person who left reads their documents; it works once. */
export const DOCUMENTS_LINK_LIFE_HOURS = 72;
/** Time for which such a link opens them. */
export const DOCUMENTS_OPEN_HOURS = 1;
/** Time during which the owner can report a changed address as not their own. */
export const REPORT_LINK_LIFE_HOURS = 168;
export const CONFIRMATION_LINK_LIFE_HOURS = 24;
/** Counted from sign-in, however busy: then the person signs in again. */
export const PASSKEYS_MOST = 10;
export const SESSION_LIFE_DAYS = 7;
/** Time that a sign-in with the right password waits for the second step. */
export const SECOND_STEP_MINUTES = 10;
/** Time in which a user who confirmed their identity is not asked again. */
export const CONFIRMATION_MINUTES = 10;
/** Reads that a signed-in person may send to one process of the server within a minute: 30 a second. */
export const READS_PER_MINUTE = 1_800;
export const MAX_BODY_BYTES = 256 * 1024;
