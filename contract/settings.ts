/**
 * Every setting that an admin changes on the settings screen, declared once: what kind of value it has
 * and within which bounds, where it stands on the screen, its words, and which change of it loosens the
 * rules about money. The operations' schemas (routes/settings.ts), the server's check and the screen are
 * made from it. Its value before anybody changed it is the database's. Free of zod.
 */
import { bankAccountRules } from './bank-accounts.ts';
import type { BankAccountProof } from './bank-accounts.ts';
import type { TimeZoneId } from './company.ts';
import { DEPOSIT_METHODS, depositPlaceRules } from './deposits.ts';
import type { DepositMethodId } from './deposits.ts';
import { PAYOUT_COOLING_HOURS, SECOND_PERSON_HOURS } from './duties.ts';
import { IDLE_MINUTES } from './identity.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from './kyc.ts';
import { NAME_MAX_LENGTH } from './limits.ts';
import { CURRENCY_LABELS, formatMoney, money } from './money.ts';
import type { Currency, Money } from './money.ts';
import { EMAIL_FREQUENCY_LABELS, EMAIL_SWITCH_LABELS } from './notifications.ts';
import type { EmailSwitch } from './notifications.ts';
import { domainRule } from './email.ts';
import type { EventTopic } from './paths.ts';
import { payoutIdRule, SAME_DAY_TIMES } from './payouts.ts';
import type { PayoutFormat } from './payouts.ts';
import { MOST_JOIN_DOMAINS } from './people.ts';
import type { JoinPolicy } from './people.ts';
import { PAYROLL_CANCEL_SECONDS, PAYROLL_CHANGE_PERCENT } from './payroll.ts';
import { line, MISSING } from './rules.ts';
import { RECOVERY_PERCENT } from './recovery.ts';
import { SETTINGS_SECTIONS } from './setting-kinds.ts';
import type { Setting, SettingsTab } from './setting-kinds.ts';

/** A switch of the Email Preferences as a setting. */
function initialSwitch(name: EmailSwitch, hint: string) {
  const label = EMAIL_SWITCH_LABELS[name];
  return { section: 'initialMail', kind: 'flag', says: 'On', label, hint } as const;
}

/** True if a deposit method is offered. */
function offered(method: DepositMethodId, hint: string) {
  const label = DEPOSIT_METHODS[method].name;
  return { section: 'deposits', kind: 'flag', says: 'Offered', label, hint } as const;
}

export const SETTINGS = {
  companyName: {
    ...{ section: 'company', kind: 'text', rule: line(NAME_MAX_LENGTH, 'Enter the company name') },
    label: 'Company name',
    hint: 'Shown on every screen, in mail and in exports.',
  },
  legalName: {
    ...{ section: 'company', kind: 'text', isOptional: true, rule: line(NAME_MAX_LENGTH) },
    label: 'Legal name',
    hint: 'Shown on payslips, statements and payment instructions. Leave empty to use the company name.',
    live: ['deposits'],
  },
  mailingAddress: {
    ...{ section: 'company', kind: 'text', isOptional: true, isLong: true, loosens: 'any' },
    rule: depositPlaceRules.mailingAddress,
    label: 'Address',
    hint: 'Employees mail checks to this address.',
    live: ['deposits'],
  },
  supportEmail: {
    ...{ section: 'company', kind: 'text', isOptional: true },
    rule: depositPlaceRules.supportEmail,
    label: 'Support email',
    hint: 'Employees report problems to this address.',
    live: ['deposits'],
  },
  /** Changes until an account is opened in it, in the first wallet; the server refuses it then. */
  currency: {
    ...{ section: 'time', kind: 'choice', options: CURRENCY_LABELS },
    label: 'Currency',
    hint: 'The currency of all money. It cannot change after the first account is opened.',
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
    hint: 'Days, months and paydays follow this time zone.',
  },
  joinPolicy: {
    ...{ section: 'joining', kind: 'choice' },
    options: {
      anybody: 'Anyone',
      domains: 'Anyone with a company email',
      added: 'Only people an administrator added',
    } satisfies Record<JoinPolicy, string>,
    label: 'Who may join',
    hint: 'People who sign up wait until an administrator accepts them.',
  },
  joinDomains: {
    ...{ section: 'joining', kind: 'list', rule: domainRule, most: MOST_JOIN_DOMAINS },
    label: 'Email domain',
    hint: 'The part after the @. Separate several domains with commas.',
  },
  receivingBankName: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, loosens: 'any' },
    rule: depositPlaceRules.receivingBankName,
    label: 'Receiving bank',
    hint: 'The bank that employees send deposits to. Wire transfers need its name and address.',
    live: ['deposits'],
  },
  receivingBankAddress: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, loosens: 'any' },
    rule: depositPlaceRules.receivingBankAddress,
    label: 'Bank’s address',
    live: ['deposits'],
  },
  receivingRoutingNumber: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, loosens: 'any' },
    rule: bankAccountRules.routingNumber,
    label: 'Receiving routing number',
    hint: 'Nine digits. ACH transfers and wires need it.',
    live: ['deposits', 'wallets'],
  },
  receivingAccountNumber: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, loosens: 'any' },
    rule: bankAccountRules.accountNumber,
    label: 'Receiving account number',
    hint: 'Your company’s own account. Employees see it in their deposit instructions.',
    live: ['deposits'],
  },
  cardPaymentPage: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, loosens: 'any' },
    rule: depositPlaceRules.cardPaymentPage,
    label: 'Card payment page',
    hint: 'Your own page. Purser never takes a card number.',
    live: ['deposits'],
  },
  offersAch: offered('ach', 'Needs the receiving routing and account number.'),
  offersWire: offered('wire', 'Needs the receiving bank, its address and both numbers.'),
  offersCard: offered('card', 'Needs the card payment page.'),
  offersMobileCheck: offered('mobile_check', 'Employees photograph both sides of the check.'),
  offersPhysicalCheck: offered('physical_check', 'Needs the company’s address.'),
  offersSecureTransfer: offered('secure_transfer', 'Needs the person’s phone number.'),
  depositNote: {
    ...{ section: 'deposits', kind: 'text', isOptional: true, isLong: true, loosens: 'any' },
    rule: depositPlaceRules.note,
    label: 'Note with the instructions',
    hint: 'Your own text, shown with the instructions of each deposit.',
  },
  payoutFormat: {
    ...{ section: 'payouts', kind: 'choice' },
    options: {
      none: 'By hand, without files',
      nacha: 'NACHA ACH',
      pain001_03: 'ISO 20022, pain.001 version 3',
      pain001_09: 'ISO 20022, pain.001 version 9',
    } satisfies Record<PayoutFormat | 'none', string>,
    label: 'Format',
    live: ['payouts'],
  },
  payoutBankName: {
    ...{ section: 'payouts', kind: 'text', isOptional: true },
    rule: bankAccountRules.bankName,
    label: 'Paying bank',
    hint: 'The bank that takes the files.',
    live: ['payouts'],
  },
  payoutRoutingNumber: {
    ...{ section: 'payouts', kind: 'text', isOptional: true },
    rule: bankAccountRules.routingNumber,
    label: 'Routing number of the paying bank',
    live: ['payouts'],
  },
  payoutAccountNumber: {
    ...{ section: 'payouts', kind: 'text', isOptional: true },
    rule: bankAccountRules.accountNumber,
    label: 'Account that payouts leave',
    hint: 'Your company’s own checking account.',
    live: ['payouts'],
  },
  payoutCompanyId: {
    ...{ section: 'payouts', kind: 'text', isOptional: true, rule: payoutIdRule },
    label: 'Company ID',
    hint: 'From your bank, often 1 and your tax number.',
    live: ['payouts'],
  },
  payoutOrigin: {
    ...{ section: 'payouts', kind: 'text', isOptional: true, rule: payoutIdRule },
    label: 'Immediate origin',
    hint: 'Leave empty to use the company ID.',
    live: ['payouts'],
  },
  payoutIsBalanced: {
    ...{ section: 'payouts', kind: 'flag', says: 'Add the debit of your account' },
    label: 'Balanced files',
    hint: 'Only if your bank asks for an offsetting entry in each batch.',
    live: ['payouts'],
  },
  payoutLineEnd: {
    ...{ section: 'payouts', kind: 'choice' },
    options: { crlf: 'CR and LF', lf: 'LF', none: 'None' },
    label: 'Line ends',
    live: ['payouts'],
  },
  bankAccountProof: {
    ...{ section: 'payouts', kind: 'choice', loosens: 'any' },
    options: {
      none: 'Checked by an administrator alone',
      prenote: 'Prenote first, then an administrator',
    } satisfies Record<BankAccountProof, string>,
    label: 'Employees’ bank accounts',
    hint: 'A prenote is an entry of $0.00 in a payout file. The employee’s bank has three banking days to send it back.',
    live: ['payouts', 'bank-accounts'],
  },
  payoutSameDayUntil: {
    ...{ section: 'payouts', kind: 'choice', options: SAME_DAY_TIMES },
    label: 'Same-day files until',
    hint: 'When your bank needs a file whose payments arrive the same day.',
    live: ['payouts'],
  },
  payoutSameDayMost: {
    ...{ section: 'payouts', kind: 'amount' },
    label: 'Most of one same-day payment',
    hint: 'Larger payments arrive on the next banking day.',
    live: ['payouts'],
  },
  requireAdminTwoFactor: {
    ...{ section: 'signIn', kind: 'flag', says: 'Required', loosens: 'off' },
    isAlwaysByTwo: true,
    label: 'Two-factor for administrators',
    hint: 'Administrators without two-factor set it up when they next sign in.',
  },
  adminIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration',
    hint: 'An inactive administrator is signed out after this time.',
  },
  employeeIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration of employees',
    hint: 'An inactive employee is signed out after this time.',
  },
  requireApprovedIdentity: {
    ...{ section: 'money', kind: 'flag', says: 'Required', loosens: 'off' },
    label: 'Require approved identity for outgoing money',
    hint: 'Employees cannot send money out before their identity is approved.',
  },
  payoutCoolingHours: {
    ...{ section: 'money', kind: 'number', rule: PAYOUT_COOLING_HOURS, unit: 'hours' },
    loosens: 'less',
    label: 'Cooling-off after a bank change',
    hint: 'How long payouts wait after a bank account is added or changed.',
  },
  newBrowserLimit: {
    ...{ section: 'money', kind: 'amount', leastMinor: 10_000n, loosens: 'more' },
    label: 'Sent in a day from a new browser',
    hint: 'In the first week of a browser, an employee sends no more than this to colleagues, bills and bank accounts in a day.',
  },
  paymentMailAbove: {
    ...{ section: 'money', kind: 'amount', loosens: 'more' },
    label: 'Mail about payments of more than',
    hint: 'An employee who pays a colleague more than this is mailed immediately, whatever mail they chose.',
  },
  automaticPayoutBelow: {
    ...{ section: 'money', kind: 'amount', isOptional: true, loosens: 'any' },
    isAlwaysByTwo: true,
    label: 'Approve automatic transfers below',
    hint: 'A withdrawal that an employee’s own rule makes after a payroll is approved by itself below this, once its bank account has cooled off. Leave empty to approve each one.',
  },
  stopPayoutsWhenUnsound: {
    ...{ section: 'money', kind: 'flag', says: 'Stop payouts', loosens: 'off' },
    label: 'When the books are not sound',
    hint: 'Payouts resume when a full verification finds no problem.',
    live: ['books'],
  },
  separatePayroll: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payroll of at least',
    hint: 'The administrator who sent it cannot approve it. Leave empty if one administrator may do it alone.',
  },
  separateDeposit: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Deposit of at least',
    hint: 'One administrator confirms that the money arrived, and another one approves the deposit.',
  },
  separateBankAccount: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payout to a verified account of at least',
    hint: 'The administrator who verified the bank account, or set the email address of its owner, cannot approve the payout. Amounts add up for each person paid.',
  },
  separatePayout: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Completing a payout of at least',
    hint: 'The administrator who approved it cannot complete it.',
  },
  separateReturn: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Returned payout of at least',
    hint: 'The administrator who completed a payout cannot book its return. The one who booked the return cannot approve the next payout.',
  },
  separateUsualPay: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Change of usual pay of at least',
    hint: 'The administrator who made it cannot confirm it. What one administrator changed alone for a person in 30 days counts together.',
    live: ['payroll'],
  },
  secondPersonHours: {
    ...{ section: 'duties', kind: 'number', rule: SECOND_PERSON_HOURS, unit: 'hours' },
    loosens: 'less',
    isAlwaysByTwo: true,
    label: 'Wait after an invite or a reset',
    hint: 'An administrator who was invited, reactivated or had their sign-in reset approves nothing for others and invites nobody for this time.',
  },
  kycMinAgeYears: {
    ...{ section: 'identity', kind: 'number', rule: MIN_AGE_YEARS, unit: 'years' },
    label: 'Legal age',
    hint: 'The minimum age on the day an application is submitted.',
    live: ['kyc'],
  },
  kycRetentionDays: {
    ...{ section: 'identity', kind: 'number', rule: RETENTION_DAYS, unit: 'days' },
    label: 'Retention',
    hint: 'Rejected, replaced and closed applications and images are destroyed after this time.',
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
  initialDepositAlerts: initialSwitch(
    'depositAlerts',
    'When a deposit is approved or rejected, and on payday.',
  ),
  initialWithdrawalUpdates: initialSwitch(
    'withdrawalUpdates',
    'At every step, from request to arrival.',
  ),
  initialVerificationAlerts: initialSwitch(
    'verificationAlerts',
    'When a bank account is verified or rejected.',
  ),
  initialSecurityAlerts: initialSwitch(
    'securityAlerts',
    'When payouts are released. Sign-in changes are always sent.',
  ),
  initialInfoNotifications: initialSwitch(
    'infoNotifications',
    'Payments they send and receive, and their bills.',
  ),
  initialProfileUpdates: initialSwitch(
    'profileUpdates',
    'Changes to their department or position.',
  ),
  initialKycUpdates: initialSwitch(
    'kycUpdates',
    'Updates on their identity application and documents.',
  ),
  payrollFrequency: {
    ...{ section: 'schedule', kind: 'choice' },
    options: {
      none: 'Not set',
      weekly: 'Weekly',
      biweekly: 'Biweekly',
      semimonthly: 'Twice a month',
      monthly: 'Monthly',
    },
    label: 'Payroll frequency',
    hint: 'Without a first payday, no payday is shown.',
    live: ['payroll'],
  },
  payrollFirstPayday: {
    ...{ section: 'schedule', kind: 'day' },
    label: 'First payday',
    hint: 'Later paydays follow it every one or two weeks. Weekly payroll without a first payday is due on Fridays.',
    live: ['payroll'],
  },
  payrollDays: {
    ...{ section: 'schedule', kind: 'choice' },
    options: { '1_15': '1st and 15th', '15_last': '15th and last day' },
    label: 'Payroll days',
    hint: 'For payroll twice a month.',
    live: ['payroll'],
  },
  payrollDay: {
    ...{ section: 'schedule', kind: 'choice' },
    options: { '1': '1st', '15': '15th', last: 'Last day' },
    label: 'Payroll day',
    hint: 'For monthly payroll.',
    live: ['payroll'],
  },
  paydayMoves: {
    ...{ section: 'schedule', kind: 'choice' },
    options: { before: 'The banking day before', after: 'The banking day after' },
    label: 'On a weekend or bank holiday',
    hint: 'Payroll is due then. Bank holidays are those of the Federal Reserve.',
    live: ['payroll'],
  },
  payrollCancelSeconds: {
    ...{ section: 'sending', kind: 'number', rule: PAYROLL_CANCEL_SECONDS, unit: 'seconds' },
    label: 'Cancel window',
    hint: 'Delay before sending. You can stop a payroll until then. 0 sends it immediately.',
  },
  payrollLineLimit: {
    ...{ section: 'sending', kind: 'amount', loosens: 'more' },
    label: 'Limit for each employee',
    hint: 'A payroll that pays one employee more than this is refused.',
  },
  payrollBatchLimit: {
    ...{ section: 'sending', kind: 'amount', loosens: 'more' },
    label: 'Limit for the total',
    hint: 'A payroll with a higher total is refused.',
  },
  payrollChangePercent: {
    ...{ section: 'sending', kind: 'number', rule: PAYROLL_CHANGE_PERCENT, unit: 'percent' },
    loosens: 'more',
    label: 'Change of pay to acknowledge',
    hint: 'The sender acknowledges each change since the last payroll that is larger than this.',
    live: ['payroll'],
  },
  recoveryPercent: {
    ...{ section: 'sending', kind: 'number', rule: RECOVERY_PERCENT, unit: 'percent' },
    loosens: 'more',
    label: 'Largest part of a payment to recover',
    hint: 'Recoveries take at most this part of a payment, unless the employee accepts more.',
    live: ['payroll'],
  },
} as const satisfies Record<string, Setting>;

/** Fault of an amount that is below the least of its setting. */
export function leastAmountProblem(
  { leastMinor = 1n }: { leastMinor?: bigint },
  minor: bigint,
  currency: Currency,
): string | undefined {
  return minor < leastMinor
    ? `Enter at least ${formatMoney(money(leastMinor, currency))}`
    : undefined;
}

/** Topics that a change of some settings changes in addition to those of the settings themselves. */
export function topicsOfSettings(names: readonly SettingName[]): EventTopic[] {
  return [...new Set(names.flatMap((name) => (SETTINGS[name] as Setting).live ?? []))];
}

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]];

type ValueOf<One> = One extends { kind: 'choice'; options: infer Options }
  ? keyof Options & string
  : One extends { kind: 'text' | 'day' }
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

/** Faults of settings together, by the one that has to change. */
export function settingsProblems(
  values: Pick<
    SettingValues,
    | 'joinPolicy'
    | 'joinDomains'
    | 'receivingBankName'
    | 'receivingBankAddress'
    | 'receivingRoutingNumber'
    | 'receivingAccountNumber'
    | 'payrollFrequency'
    | 'payrollFirstPayday'
    | 'payoutFormat'
    | 'bankAccountProof'
    | 'payoutBankName'
    | 'payoutRoutingNumber'
    | 'payoutAccountNumber'
    | 'payoutCompanyId'
  >,
): Partial<Record<SettingName, string>> {
  const { joinPolicy, joinDomains, receivingBankName, receivingBankAddress } = values;
  const { receivingRoutingNumber, receivingAccountNumber } = values;
  const { payrollFrequency, payrollFirstPayday } = values;
  const { payoutBankName, payoutRoutingNumber, payoutAccountNumber, payoutCompanyId } = values;
  return {
    ...(values.payoutFormat !== 'none' && {
      ...(payoutBankName === '' && { payoutBankName: 'Enter the bank’s name' }),
      ...(payoutRoutingNumber === '' && { payoutRoutingNumber: 'Enter the routing number' }),
      ...(payoutAccountNumber === '' && { payoutAccountNumber: 'Enter the account number' }),
      ...(payoutCompanyId === '' && { payoutCompanyId: 'Enter the company ID' }),
    }),
    ...(values.bankAccountProof !== 'none' &&
      values.payoutFormat !== 'nacha' && {
        bankAccountProof: 'Prenotes need payout files in the format NACHA ACH',
      }),
    ...(joinPolicy === 'domains' && joinDomains.length === 0 && { joinDomains: MISSING }),
    ...(payrollFrequency === 'biweekly' &&
      payrollFirstPayday === '' && { payrollFirstPayday: 'Enter the first payday' }),
    ...(receivingBankName !== '' &&
      receivingBankAddress === '' && { receivingBankAddress: 'Enter the bank’s address' }),
    ...(receivingBankAddress !== '' &&
      receivingBankName === '' && { receivingBankName: 'Enter the bank’s name' }),
    ...(receivingRoutingNumber !== '' &&
      receivingAccountNumber === '' && { receivingAccountNumber: 'Enter the account number' }),
    ...(receivingAccountNumber !== '' &&
      receivingRoutingNumber === '' && { receivingRoutingNumber: 'Enter the routing number' }),
  };
}
