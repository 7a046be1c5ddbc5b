/**
 * Every setting that an admin changes on the settings screen, declared once: what kind of value it has
 * and within which bounds, where it stands on the screen, its words, and which change of it loosens the
 * rules about money. Those of the tab General are here, those of the others in settings/. The operations' schemas
 * (routes/settings.ts), the server's check and the screen are made from it. Its value before anybody changed it is the
 * database's. Free of zod.
 */
import { eitherNumberRule, eitherRoutingRule } from './account-formats.ts';
import { bankAccountRules } from './bank-accounts.ts';
import type { BankAccountProof } from './bank-accounts.ts';
import { depositPlaceRules, methodName } from './deposits.ts';
import type { DepositMethodId } from './deposits.ts';
import { NAME_MAX_LENGTH } from './limits.ts';
import { CURRENCY_LABELS, formatMoney, money } from './money.ts';
import type { Currency, Money } from './money.ts';
import { domainRule } from './email.ts';
import type { EventTopic } from './live-topics.ts';
import { payoutIdRule, SAME_DAY_TIMES } from './payouts.ts';
import type { PayoutFormat } from './payouts.ts';
import { MOST_JOIN_DOMAINS } from './people.ts';
import type { JoinPolicy } from './people.ts';
import { line } from './rules.ts';
import { NOTIFICATION_SETTINGS } from './settings/notifications.ts';
import { PAYROLL_SETTINGS } from './settings/payroll.ts';
import { SECURITY_SETTINGS } from './settings/security.ts';
import { SETTINGS_SECTIONS, settingWords } from './setting-kinds.ts';
import type { Setting, SettingsTab } from './setting-kinds.ts';
import { keysOf } from './keys.ts';
import { TIME_ZONE_LABELS } from './time-zones.ts';

/** True if a deposit method is offered. */
function offered(method: DepositMethodId, hint: string) {
  const label = methodName(method, 'USD');
  return { section: 'deposits', kind: 'flag', says: 'Offered', label, hint } as const;
}

/** The same of one that goes to the receiving account, whose numbers the currency decides. */
function offeredTo(method: DepositMethodId, hintOf: (numbers: string) => string) {
  const elsewhere = {
    EUR: { label: methodName(method, 'EUR'), hint: hintOf('IBAN') },
    GBP: { label: methodName(method, 'GBP'), hint: hintOf('sort code and account number') },
  };
  return { ...offered(method, hintOf('routing and account number')), elsewhere };
}

/** The bank that deposits go to. @param methods those that need its name and address */
function bankOf(methods: string) {
  const hint = `The bank that employees send deposits to. ${methods} need its name and address.`;
  return { label: 'Receiving bank', hint } as const;
}

/** Settings of NACHA files, which pay in US dollars alone. */
const NO_NACHA = { EUR: null, GBP: null } as const;

export const SETTINGS = {
  companyName: {
    section: 'company',
    kind: 'text',
    rule: line(NAME_MAX_LENGTH, 'Enter the company name'),
    label: 'Company name',
    hint: 'Shown on every screen, in mail and in exports.',
  },
  legalName: {
    section: 'company',
    kind: 'text',
    isOptional: true,
    rule: line(NAME_MAX_LENGTH),
    label: 'Legal name',
    hint: 'Shown on payslips, statements and payment instructions. Leave empty to use the company name.',
    live: ['deposits'],
  },
  mailingAddress: {
    section: 'company',
    kind: 'text',
    isOptional: true,
    isLong: true,
    loosens: 'any',
    rule: depositPlaceRules.mailingAddress,
    label: 'Address',
    hint: 'Employees mail checks to this address.',
    live: ['deposits'],
  },
  supportEmail: {
    section: 'company',
    kind: 'text',
    isOptional: true,
    rule: depositPlaceRules.supportEmail,
    label: 'Support email',
    hint: 'Employees report problems to this address.',
    live: ['deposits'],
  },
  /** Changes until an account is opened in it, in the first wallet; the server refuses it then. */
  currency: {
    section: 'time',
    kind: 'choice',
    options: CURRENCY_LABELS,
    label: 'Currency',
    hint: 'The currency of all money. It cannot change after the first account is opened.',
  },
  timeZone: {
    section: 'time',
    kind: 'choice',
    options: TIME_ZONE_LABELS,
    label: 'Time zone',
    hint: 'Days, months and paydays follow this time zone and its summer time.',
  },
  joinPolicy: {
    section: 'joining',
    kind: 'choice',
    options: {
      anybody: 'Anyone',
      domains: 'Anyone with a company email',
      added: 'Only people an administrator added',
    } satisfies Record<JoinPolicy, string>,
    label: 'Who may join',
    hint: 'People who sign up wait until an administrator accepts them.',
  },
  joinDomains: {
    section: 'joining',
    kind: 'list',
    rule: domainRule,
    most: MOST_JOIN_DOMAINS,
    label: 'Email domain',
    hint: 'The part after the @. Separate several domains with commas.',
  },
  receivingBankName: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    loosens: 'any',
    rule: depositPlaceRules.receivingBankName,
    ...bankOf('Wire transfers'),
    elsewhere: { EUR: bankOf('Urgent transfers'), GBP: bankOf('CHAPS transfers') },
    live: ['deposits'],
  },
  receivingBankAddress: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    loosens: 'any',
    rule: depositPlaceRules.receivingBankAddress,
    label: 'Bank’s address',
    live: ['deposits'],
  },
  receivingRoutingNumber: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    loosens: 'any',
    rule: eitherRoutingRule,
    label: 'Receiving routing number',
    hint: 'Nine digits. ACH transfers and wires need it.',
    elsewhere: {
      EUR: null,
      GBP: {
        label: 'Receiving sort code',
        hint: 'Six digits. Bank transfers and CHAPS transfers need it.',
      },
    },
    live: ['deposits', 'wallets'],
  },
  receivingAccountNumber: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    loosens: 'any',
    rule: eitherNumberRule,
    label: 'Receiving account number',
    hint: 'Your company’s own account. Employees see it in their deposit instructions.',
    elsewhere: {
      EUR: {
        label: 'Receiving IBAN',
        hint: 'Your company’s own account. Employees see it in their deposit instructions.',
      },
      GBP: {
        label: 'Receiving account number',
        hint: 'Eight digits. Your company’s own account. Employees see it in their deposit instructions.',
      },
    },
    live: ['deposits'],
  },
  cardPaymentPage: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    loosens: 'any',
    rule: depositPlaceRules.cardPaymentPage,
    label: 'Card payment page',
    hint: 'Your own page. Purser never takes a card number.',
    live: ['deposits'],
  },
  offersAch: offeredTo('ach', (numbers) => `Needs the receiving ${numbers}.`),
  offersWire: offeredTo(
    'wire',
    (numbers) => `Needs the receiving bank, its address, and the ${numbers}.`,
  ),
  offersCard: offered('card', 'Needs the card payment page.'),
  offersMobileCheck: offered('mobile_check', 'Employees photograph both sides of the check.'),
  offersPhysicalCheck: offered('physical_check', 'Needs the company’s address.'),
  offersSecureTransfer: offered('secure_transfer', 'Needs the person’s phone number.'),
  depositNote: {
    section: 'deposits',
    kind: 'text',
    isOptional: true,
    isLong: true,
    loosens: 'any',
    rule: depositPlaceRules.note,
    label: 'Note with the instructions',
    hint: 'Your own text, shown with the instructions of each deposit.',
  },
  payoutFormat: {
    section: 'payouts',
    kind: 'choice',
    options: {
      none: 'By hand, without files',
      nacha: 'NACHA ACH',
      pain001_03: 'ISO 20022, pain.001 version 3',
      pain001_09: 'ISO 20022, pain.001 version 9',
    } satisfies Record<PayoutFormat | 'none', string>,
    dollarOptions: ['nacha'],
    label: 'Format',
    live: ['payouts'],
  },
  payoutBankName: {
    section: 'payouts',
    kind: 'text',
    isOptional: true,
    rule: bankAccountRules.bankName,
    label: 'Paying bank',
    hint: 'The bank that takes the files.',
    live: ['payouts'],
  },
  payoutRoutingNumber: {
    section: 'payouts',
    kind: 'text',
    isOptional: true,
    rule: eitherRoutingRule,
    label: 'Routing number of the paying bank',
    elsewhere: {
      EUR: null,
      GBP: { label: 'Sort code of the paying bank', hint: 'Six digits.' },
    },
    live: ['payouts'],
  },
  payoutAccountNumber: {
    section: 'payouts',
    kind: 'text',
    isOptional: true,
    rule: eitherNumberRule,
    label: 'Account that payouts leave',
    hint: 'Your company’s own checking account.',
    elsewhere: {
      EUR: { label: 'IBAN that payouts leave', hint: 'Your company’s own account.' },
      GBP: {
        label: 'Account that payouts leave',
        hint: 'Eight digits. Your company’s own account.',
      },
    },
    live: ['payouts'],
  },
  payoutCompanyId: {
    section: 'payouts',
    kind: 'text',
    isOptional: true,
    rule: payoutIdRule,
    label: 'Company ID',
    hint: 'From your bank, often 1 and your tax number.',
    elsewhere: {
      EUR: { label: 'Company ID', hint: 'Only if your bank gave you one for its files.' },
      GBP: { label: 'Company ID', hint: 'Only if your bank gave you one for its files.' },
    },
    live: ['payouts'],
  },
  payoutOrigin: {
    section: 'payouts',
    kind: 'text',
    isOptional: true,
    rule: payoutIdRule,
    label: 'Immediate origin',
    hint: 'Leave empty to use the company ID.',
    elsewhere: NO_NACHA,
    live: ['payouts'],
  },
  payoutIsBalanced: {
    section: 'payouts',
    kind: 'flag',
    says: 'Add the debit of your account',
    label: 'Balanced files',
    hint: 'Only if your bank asks for an offsetting entry in each batch.',
    elsewhere: NO_NACHA,
    live: ['payouts'],
  },
  payoutLineEnd: {
    section: 'payouts',
    kind: 'choice',
    options: { crlf: 'CR and LF', lf: 'LF', none: 'None' },
    label: 'Line ends',
    elsewhere: NO_NACHA,
    live: ['payouts'],
  },
  bankAccountProof: {
    section: 'payouts',
    kind: 'choice',
    loosens: 'any',
    options: {
      none: 'Checked by an administrator alone',
      prenote: 'Prenote first, then an administrator',
      micro_deposits: 'Two micro-deposits first, then an administrator',
    } satisfies Record<BankAccountProof, string>,
    label: 'Employees’ bank accounts',
    elsewhere: NO_NACHA,
    hint: 'A prenote is an entry of $0.00, which the employee’s bank has three banking days to send back. Micro-deposits are two credits under $1.00 of the company’s money, whose amounts the employee enters.',
    live: ['payouts', 'bank-accounts'],
  },
  payoutSameDayUntil: {
    section: 'payouts',
    kind: 'choice',
    options: SAME_DAY_TIMES,
    label: 'Same-day files until',
    elsewhere: NO_NACHA,
    hint: 'When your bank needs a file whose payments arrive the same day.',
    live: ['payouts'],
  },
  payoutSameDayMost: {
    section: 'payouts',
    kind: 'amount',
    label: 'Most of one same-day payment',
    elsewhere: NO_NACHA,
    hint: 'Larger payments arrive on the next banking day.',
    live: ['payouts'],
  },
  ...SECURITY_SETTINGS,
  ...NOTIFICATION_SETTINGS,
  ...PAYROLL_SETTINGS,
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
export const SETTING_NAMES = keysOf(SETTINGS);

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

/** Label of a setting in a company's currency; of one that has no effect there, that in USD. */
export function settingLabel(name: SettingName, currency: Currency): string {
  const setting: Setting = SETTINGS[name];
  return (settingWords(setting, currency) ?? setting).label;
}
