import type { AuditEvent } from '#contract/api.ts';
import { decimalAmount } from '#contract/money.ts';
import type { AuditRole, AuditThing } from '#contract/audit.ts';
import { EVENTS } from '#contract/events/all.ts';
import type { EventSpec } from '#contract/events/event.ts';
import type { Currency } from '#contract/money.ts';
import { settingLabel, SETTINGS, type SettingName } from '#contract/settings.ts';
import { THINGS } from '#contract/things/all.ts';
import { auditWordsOf } from '#contract/things/words.ts';

export const THING_LABELS: Record<AuditThing, string> = {
  settings: 'Settings',
  people: 'People',
  invites: 'Invites',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
  sessions: 'Sign-in',
  bankAccounts: 'Bank accounts',
  companyBank: 'Company bank',
  wallets: 'Accounts',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  payouts: 'Payout files',
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
  'session.refused': 'Sign-in refused',
  'account_document.opened': 'Opened a payslip or statement',
  'mail.stopped': 'Mail stopped, the address does not exist',
  'mail.resumed': 'Mail sent again',
  'confirmation.needed': 'Was asked to confirm it was them',
  'access.refused': 'Access refused',
  'settings.updated': 'Changed setting',
  'settings.recorded': 'Recorded settings that nobody changed',
};

/** "withdrawal.approved" is "Withdrawal approved". */
export function auditWords(action: string): string {
  return WORDS[action] ?? sentence(action);
}

/** Subject of an act: a reference, a setting, a person. */
export function subjectWords(event: AuditEvent, currency: Currency): string {
  const { subject, subjectType, person, details } = event;
  const fields = changesOf(details, currency).map(({ label }) => label);
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
export function changesOf(details: AuditEvent['details'], currency: Currency): AuditChange[] {
  const { fields, before, after } = details;
  if (!Array.isArray(fields) || !Array.isArray(before) || !Array.isArray(after)) return [];
  return fields.map((name, index) => ({
    label: labelOf(name, currency),
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

function labelOf(field: string, currency: Currency): string {
  const isAmount = field.endsWith('Minor');
  const name = isAmount ? field.slice(0, -'Minor'.length) : field;
  if (isSetting(name)) return settingLabel(name, currency);
  return OLD_NAMES[field] ?? sentence(separated(name));
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
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
export function factLabel(name: string, currency: Currency): string {
  return labelOf(name, currency);
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
