/**
 * Every setting that an admin changes on the settings screen, declared once: what kind of value it has
 * and within which bounds, where it stands on the screen, its words, and which change of it loosens the
 * rules about money. The operations' schemas (routes/settings.ts), the server's check and the screen are
 * made from it. Its value before anybody changed it is the database's. Free of zod.
 */
import type { TimeZoneId } from './company.ts';
import { DEPOSIT_METHODS, depositPlaceRules } from './deposits.ts';
import type { DepositMethodId } from './deposits.ts';
import { PAYOUT_COOLING_HOURS } from './duties.ts';
import { IDLE_MINUTES } from './identity.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from './kyc.ts';
import { NAME_MAX_LENGTH } from './limits.ts';
import { CURRENCY_LABELS } from './money.ts';
import type { Money } from './money.ts';
import { EMAIL_FREQUENCY_LABELS, EMAIL_SWITCH_LABELS } from './notifications.ts';
import type { EmailSwitch } from './notifications.ts';
import { domainRule, MOST_JOIN_DOMAINS } from './people.ts';
import type { JoinPolicy } from './people.ts';
import { PAYROLL_CANCEL_SECONDS } from './payroll.ts';
import { line, MISSING } from './rules.ts';
import type { NumberRule, TextRule } from './rules.ts';

export const SETTINGS_TABS = ['general', 'security', 'notifications', 'payroll'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** The sections of each tab, in their order. */
export const SETTINGS_SECTIONS = {
  company: { tab: 'general', title: 'Company' },
  time: { tab: 'general', title: 'Money and time' },
  joining: { tab: 'general', title: 'Joining' },
  deposits: { tab: 'general', title: 'Deposits' },
  signIn: { tab: 'security', title: 'Sign-in' },
  money: { tab: 'security', title: 'Money' },
  duties: { tab: 'security', title: 'Approvals by two persons' },
  identity: { tab: 'security', title: 'Identity material' },
  initialMail: { tab: 'notifications', title: 'New people start with' },
  schedule: { tab: 'payroll', title: 'Schedule' },
  sending: { tab: 'payroll', title: 'Sending' },
} as const satisfies Record<string, { tab: SettingsTab; title: string }>;
export type SettingsSection = keyof typeof SETTINGS_SECTIONS;

interface Shared {
  readonly section: SettingsSection;
  readonly label: string;
  readonly hint?: string;
  /**
   * Which change lets one person alone do with money what they could not before: it waits for a second
   * admin while duties are separated.
   */
  readonly loosens?: 'more' | 'less' | 'off';
}

interface TextSetting extends Shared {
  readonly kind: 'text';
  readonly rule: TextRule;
  /** May be left empty. */
  readonly isOptional?: true;
  /** On several lines, as on an envelope. */
  readonly isLong?: true;
}
interface ChoiceSetting extends Shared {
  readonly kind: 'choice';
  /** Words by value. */
  readonly options: Readonly<Record<string, string>>;
}
interface FlagSetting extends Shared {
  readonly kind: 'flag';
  /** Beside the box. */
  readonly says: string;
}
interface NumberSetting extends Shared {
  readonly kind: 'number';
  readonly rule: NumberRule;
  /** What it counts: "minutes". */
  readonly unit: string;
}
interface AmountSetting extends Shared {
  readonly kind: 'amount';
  /** null: none. */
  readonly isOptional?: true;
}
interface ListSetting extends Shared {
  readonly kind: 'list';
  readonly rule: TextRule;
  readonly most: number;
}
export type Setting =
  | TextSetting
  | ChoiceSetting
  | FlagSetting
  | NumberSetting
  | AmountSetting
  | ListSetting;

/** A switch of the Email Preferences as a setting. */
function initialSwitch(name: EmailSwitch, hint: string) {
  const label = EMAIL_SWITCH_LABELS[name];
  return { section: 'initialMail', kind: 'flag', says: 'On', label, hint } as const;
}

/** Whether a deposit method is offered. */
function offered(method: DepositMethodId, hint: string) {
  const label = DEPOSIT_METHODS[method].name;
  return { section: 'deposits', kind: 'flag', says: 'Offered', label, hint } as const;
}

export const SETTINGS = {
  companyName: {
    ...{ section: 'company', kind: 'text', rule: line(NAME_MAX_LENGTH, 'Enter the company name') },
    label: 'Company name',
    hint: 'On every screen, mail and export.',
  },
  legalName: {
    ...{ section: 'company', kind: 'text', isOptional: true, rule: line(NAME_MAX_LENGTH) },
    label: 'Legal name',
    hint: 'On payslips, statements and payment instructions. Empty: the company name.',
  },
  mailingAddress: {
    ...{ section: 'company', kind: 'text', isOptional: true, isLong: true },
    rule: depositPlaceRules.mailingAddress,
    label: 'Address',
    hint: 'Checks are mailed there.',
  },
  supportEmail: {
    ...{ section: 'company', kind: 'text', isOptional: true },
    rule: depositPlaceRules.supportEmail,
    label: 'Support email',
    hint: 'Where employees report a mistake.',
  },
  /** Changes until an account is opened in it, in the first wallet; the server refuses it then. */
  currency: {
    ...{ section: 'time', kind: 'choice', options: CURRENCY_LABELS },
    label: 'Currency',
    hint: 'Of all money. It stays once the first account is opened in it.',
  },
  timeZone: {
    ...{ section: 'time', kind: 'choice' },
    options: {
      est: 'Eastern (EST)',
      cst: 'Central (CST)',
      mst: 'Mountain (MST)',
      pst: 'Pacific (PST)',
    } satisfies Record<TimeZoneId, string>,
    label: 'Time zone',
    hint: 'Days, months and paydays are counted in it.',
  },
  joinPolicy: {
    ...{ section: 'joining', kind: 'choice' },
    options: {
      anybody: 'Anyone',
      domains: 'Anyone with a company email',
      added: 'Only people an administrator added',
    } satisfies Record<JoinPolicy, string>,
    label: 'Who may join',
    hint: 'Who signs up waits until an administrator accepts them.',
  },
  joinDomains: {
    ...{ section: 'joining', kind: 'list', rule: domainRule, most: MOST_JOIN_DOMAINS },
    label: 'Email domain',
    hint: 'The part after the @. Several are separated by commas.',
  },
  receivingBankName: {
    ...{ section: 'deposits', kind: 'text', isOptional: true },
    rule: depositPlaceRules.receivingBankName,
    label: 'Receiving bank',
    hint: 'Wires need its name and address.',
  },
  receivingBankAddress: {
    ...{ section: 'deposits', kind: 'text', isOptional: true },
    rule: depositPlaceRules.receivingBankAddress,
    label: 'Bank’s address',
  },
  cardPaymentPage: {
    ...{ section: 'deposits', kind: 'text', isOptional: true },
    rule: depositPlaceRules.cardPaymentPage,
    label: 'Card payment page',
    hint: 'Your own page. Purser never takes a card number.',
  },
  offersAch: offered('ach', 'Deposits asked for before stay as they are.'),
  offersWire: offered('wire', 'Needs the receiving bank.'),
  offersCard: offered('card', 'Needs the card payment page.'),
  offersMobileCheck: offered('mobile_check', 'A photograph of both sides.'),
  offersPhysicalCheck: offered('physical_check', 'Needs the company’s address.'),
  offersSecureTransfer: offered('secure_transfer', 'Needs the person’s phone number.'),
  depositNote: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, isLong: true },
    rule: depositPlaceRules.note,
    label: 'Note with the instructions',
    hint: 'Your own words, given with each deposit’s instructions.',
  },
  requireAdminTwoFactor: {
    ...{ section: 'signIn', kind: 'flag', says: 'Required', loosens: 'off' },
    label: 'Two-factor for administrators',
    hint: 'Whoever has none sets it up at the next sign-in.',
  },
  adminIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration',
    hint: 'An idle administrator is signed out after.',
  },
  employeeIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration of employees',
    hint: 'An idle employee is signed out after.',
  },
  requireApprovedIdentity: {
    ...{ section: 'money', kind: 'flag', says: 'Required', loosens: 'off' },
    label: 'Require approved identity for outgoing money',
    hint: 'Withdrawals wait for an approved KYC.',
  },
  payoutCoolingHours: {
    ...{ section: 'money', kind: 'number', rule: PAYOUT_COOLING_HOURS, unit: 'hours' },
    loosens: 'less',
    label: 'Cooling-off after a bank change',
    hint: 'No withdrawal to a new or edited account before.',
  },
  stopPayoutsWhenUnsound: {
    ...{ section: 'money', kind: 'flag', says: 'Stop payouts', loosens: 'off' },
    label: 'When the books are not sound',
    hint: 'Until all of them are verified and nothing is found.',
  },
  separatePayroll: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payroll from',
    hint: 'Who sent it does not approve it. Empty: one person is enough.',
  },
  separateBankAccount: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payout to a verified account from',
    hint: 'Who verified the bank account does not approve a payout to it.',
  },
  separatePayout: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Completing a payout from',
    hint: 'Who approved it does not complete it.',
  },
  separateReturn: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Returned payout from',
    hint: 'Who completed a payout does not book its return, and who booked it does not approve the next.',
  },
  kycMinAgeYears: {
    ...{ section: 'identity', kind: 'number', rule: MIN_AGE_YEARS, unit: 'years' },
    label: 'Legal age',
    hint: 'Reached on the day of submission.',
  },
  kycRetentionDays: {
    ...{ section: 'identity', kind: 'number', rule: RETENTION_DAYS, unit: 'days' },
    label: 'Retention',
    hint: 'Rejected, replaced or closed material is destroyed after.',
  },
  initialEmailEnabled: {
    ...{ section: 'initialMail', kind: 'flag', says: 'On' },
    label: 'Email notifications',
    hint: 'Each person can change these later.',
  },
  initialEmailFrequency: {
    ...{ section: 'initialMail', kind: 'choice', options: EMAIL_FREQUENCY_LABELS },
    label: 'How often',
  },
  initialDepositAlerts: initialSwitch('depositAlerts', 'Approved or rejected. Paydays too.'),
  initialWithdrawalUpdates: initialSwitch(
    'withdrawalUpdates',
    'Every step, from requested to arrived.',
  ),
  initialVerificationAlerts: initialSwitch(
    'verificationAlerts',
    'Bank accounts verified or rejected.',
  ),
  initialSecurityAlerts: initialSwitch(
    'securityAlerts',
    'Payouts released. Changes to their sign-in are always sent.',
  ),
  initialInfoNotifications: initialSwitch(
    'infoNotifications',
    'Payments they send and receive, and their bills.',
  ),
  initialProfileUpdates: initialSwitch('profileUpdates', 'Their place in the company.'),
  initialKycUpdates: initialSwitch('kycUpdates', 'Their identity application and documents.'),
  payrollFrequency: {
    ...{ section: 'schedule', kind: 'choice' },
    options: { none: 'Not set', weekly: 'Weekly', biweekly: 'Biweekly', monthly: 'Monthly' },
    label: 'Payroll frequency',
    hint: 'Weekly and biweekly payroll is due on Fridays.',
  },
  payrollDay: {
    ...{ section: 'schedule', kind: 'choice' },
    options: { '1': '1st', '15': '15th', last: 'Last day' },
    label: 'Payroll day',
    hint: 'For monthly payroll.',
  },
  payrollCancelSeconds: {
    ...{ section: 'sending', kind: 'number', rule: PAYROLL_CANCEL_SECONDS, unit: 'seconds' },
    label: 'Cancel window',
    hint: 'After confirming, a batch waits so long and can be cancelled. 0 sends at once.',
  },
  payrollLineLimit: {
    ...{ section: 'sending', kind: 'amount', loosens: 'more' },
    label: 'Limit for each employee',
    hint: 'A payroll that pays anybody more is refused.',
  },
  payrollBatchLimit: {
    ...{ section: 'sending', kind: 'amount', loosens: 'more' },
    label: 'Limit in all',
    hint: 'A payroll that pays more in all is refused.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]];

type ValueOf<One> = One extends { kind: 'choice'; options: infer Options }
  ? keyof Options & string
  : One extends { kind: 'text' }
    ? string
    : One extends { kind: 'flag' }
      ? boolean
      : One extends { kind: 'number' }
        ? number
        : One extends { kind: 'list' }
          ? string[]
          : One extends { kind: 'amount'; isOptional: true }
            ? Money | null
            : Money;

/** The value of each setting; the text of an optional one that is not set is empty. */
export type SettingValues = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

/** The settings of a tab, in the order of the screen. */
export function settingsOf(tab: SettingsTab): SettingName[] {
  return SETTING_NAMES.filter((name) => SETTINGS_SECTIONS[SETTINGS[name].section].tab === tab);
}

/** What is wrong with settings only beside each other, by the one that has to change. */
export function settingsProblems(
  values: Pick<
    SettingValues,
    'joinPolicy' | 'joinDomains' | 'receivingBankName' | 'receivingBankAddress'
  >,
): Partial<Record<SettingName, string>> {
  const { joinPolicy, joinDomains, receivingBankName, receivingBankAddress } = values;
  return {
    ...(joinPolicy === 'domains' && joinDomains.length === 0 && { joinDomains: MISSING }),
    ...(receivingBankName !== '' &&
      receivingBankAddress === '' && { receivingBankAddress: 'Enter the bank’s address' }),
    ...(receivingBankAddress !== '' &&
      receivingBankName === '' && { receivingBankName: 'Enter the bank’s name' }),
  };
}
