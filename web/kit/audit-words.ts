import type { AuditEvent } from '#contract/api.ts';
import { decimalAmount } from '#contract/money.ts';
import type { AuditRole, AuditThing } from '#contract/audit.ts';
import { EVENTS, type EventSpec } from '#contract/events.ts';
import { SETTINGS } from '#contract/settings.ts';
import { THINGS } from '#contract/things/all.ts';
import { auditWordsOf } from '#contract/things/thing.ts';

export const THING_LABELS: Record<AuditThing, string> = {
  settings: 'Settings',
  people: 'People',
  invites: 'Invites',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
  sessions: 'Sign-in',
  bankAccounts: 'Bank accounts',
  wallets: 'Accounts',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  payments: 'Payments and bills',
  payroll: 'Payroll',
  identity: 'Identity',
  questions: 'Questions',
  books: 'Books and deliveries',
};

export const ROLE_LABELS: Record<AuditRole, string> = {
  employee: 'Employees',
  admin: 'Administrators',
  apiKey: 'API keys',
  visitor: 'Not signed in',
  system: 'Purser',
};

const DECLARED: readonly (readonly [string, EventSpec])[] = Object.entries(EVENTS);

/** Acts in words; an act without any shows its name. */
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(THINGS.flatMap((thing) => Object.entries(auditWordsOf(thing)))),
  ...Object.fromEntries(DECLARED.flatMap(([event, { words }]) => (words ? [[event, words]] : []))),
  'setup.step_done': 'Step of the set-up done',
  'setup.step_skipped': 'Step of the set-up skipped',
  'setup.finished': 'Set-up finished',
  'setup.dismissed': 'Set-up dismissed',
  'employee_import.checked': 'File of employees checked',
  'employee_import.matched': 'Columns of a file of employees matched',
  'employee_import.confirmed': 'Import of employees confirmed',
  'employee_import.discarded': 'Discarded the file of employees',
  'employee_import.finished': 'Import of employees finished',
  'account_document.opened': 'Opened a payslip or statement',
  'question.asked': 'Asked a question',
  'question.answered': 'Answered a question',
  'mail.stopped': 'Mail stopped, the address does not exist',
  'mail.resumed': 'Mail sent again',
  'confirmation.needed': 'Was asked to confirm it was them',
  'access.refused': 'Access refused',
  'webhook.created': 'Webhook made',
  'webhook.removed': 'Webhook removed',
  'webhook.secret_rotated': 'Secret of a webhook rotated',
  'webhook.tested': 'Webhook tested',
  'webhook.redelivered': 'Webhook sent again',
  'settings.updated': 'Changed setting',
  'settings.proposed': 'Proposed a change of settings',
  'settings.accepted': 'Accepted the proposed change',
  'settings.discarded': 'Discarded the proposed change',
  'wallet.opened': 'Account opened',
  'wallet.closed': 'Account closed',
  'wallet.reopened': 'Account opened again',
  'wallet.revealed': 'Account number opened',
  'bank_account.revealed': 'Account number opened',
  'payee.returned': 'Payee marked: the bank sent a bill back',
  'payee.revealed': 'Account number opened',
  'books.found_unsound': 'Books found not sound',
  'books.found_sound': 'Books found sound again',
};

/** "withdrawal.approved" is "Withdrawal approved". */
export function auditWords(action: string): string {
  return WORDS[action] ?? sentence(action);
}

/** Subject of an act: a reference, a setting, a person. */
export function subjectWords(event: AuditEvent): string {
  const { subject, subjectType, person, details } = event;
  const fields = changesOf(details).map(({ label }) => label);
  if (fields.length > 0 && subjectType !== 'user') return fields.join(', ');
  return [subject ?? kindWords(event), person !== null && person.name !== subject && person.name]
    .filter(Boolean)
    .join(', ');
}

function kindWords({ subjectType, person }: AuditEvent): string | null {
  if (subjectType === 'user' && person !== null) return null;
  return sentence(subjectType);
}

/** A field that changed, before and after. */
export interface AuditChange {
  label: string;
  before: string;
  after: string;
}

/** The changes of acts that record `fields`, `before` and `after`, each JSON or plain text. */
export function changesOf(details: AuditEvent['details']): AuditChange[] {
  const { fields, before, after } = details;
  if (!Array.isArray(fields) || !Array.isArray(before) || !Array.isArray(after)) return [];
  return fields.map((name, index) => ({
    label: labelOf(name),
    before: plain(before[index]),
    after: plain(after[index]),
  }));
}

/** Names that settings had in the record before they had those of the screen. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  timeZoneId: 'Time zone',
  schedule: 'Payroll schedule',
  receivingBank: 'Receiving bank',
};

function labelOf(field: string): string {
  const settings: Readonly<Record<string, { label: string }>> = SETTINGS;
  const isAmount = field.endsWith('Minor');
  const name = isAmount ? field.slice(0, -'Minor'.length) : field;
  return settings[name]?.label ?? OLD_NAMES[field] ?? sentence(separated(name));
}

/** A value as it is read: `"monthly"` without its quotes, an amount with its currency. */
function plain(text: string | undefined): string {
  if (text === undefined || text === 'null' || text === '""' || text === '') return 'None';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value) {
    const { minor, currency } = value as { minor: string; currency: string };
    return `${decimalAmount(BigInt(minor))} ${currency}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ');
  return text;
}

/** A fact of a record in words: `amountMinor` is "Amount". */
export function factLabel(name: string): string {
  return labelOf(name);
}

/** Its value: an amount in units rather than in the smallest ones, a list with commas. */
export function factWords(name: string, value: AuditEvent['details'][string]): string {
  if (Array.isArray(value)) return value.join(', ');
  const text = String(value);
  return name.endsWith('Minor') && /^-?\d+$/.test(text) ? decimalAmount(BigInt(text)) : text;
}

function separated(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function sentence(name: string): string {
  const words = name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\bkyc\b/g, 'KYC')
    .replaceAll(/\bapi\b/g, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
