/** The kinds of settings, and the tabs and sections of the screen that they stand in. */
import type { Currency } from './money.ts';
import type { EventTopic } from './live-topics.ts';
import type { NumberRule, TextRule } from './rules.ts';

export const SETTINGS_TABS = ['general', 'security', 'notifications', 'payroll'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** The sections of each tab, in their order. */
export const SETTINGS_SECTIONS = {
  company: { tab: 'general', title: 'Company' },
  time: { tab: 'general', title: 'Money and time' },
  joining: { tab: 'general', title: 'Joining' },
  deposits: { tab: 'general', title: 'Deposits' },
  payouts: {
    tab: 'general',
    title: 'Payout files',
    hint: 'Purser writes the file that your bank takes. Your bank tells you which format and which numbers.',
  },
  signIn: { tab: 'security', title: 'Sign-in' },
  money: { tab: 'security', title: 'Money' },
  duties: {
    tab: 'security',
    title: 'Approvals by two people',
    hint: 'Amounts add up. What administrators do alone in a month stays below the amount, all of them together.',
  },
  identity: { tab: 'security', title: 'Identity material' },
  initialMail: { tab: 'notifications', title: 'New people start with' },
  schedule: { tab: 'payroll', title: 'Schedule' },
  sending: { tab: 'payroll', title: 'Sending' },
} as const satisfies Record<string, { tab: SettingsTab; title: string; hint?: string }>;
export type SettingsSection = keyof typeof SETTINGS_SECTIONS;

interface SettingWords {
  readonly label: string;
  readonly hint?: string;
}

interface Shared extends SettingWords {
  readonly section: SettingsSection;
  /**
   * Changes that let one person alone do with money what they could not before: they wait for a second
   * admin while duties are separated. `any` is each change that does not empty it.
   */
  readonly loosens?: 'more' | 'less' | 'off' | 'any';
  /** True if loosening it waits for a second admin also while no duties are separated. */
  readonly isAlwaysByTwo?: true;
  /** Words of companies in another currency than USD, where they differ; null: it has no effect there. */
  readonly elsewhere?: Readonly<Partial<Record<Currency, SettingWords | null>>>;
  /** Topics of the other screens of administrators that show it or its consequences. */
  readonly live?: readonly EventTopic[];
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
  /** Values that a company in another currency than USD cannot choose. */
  readonly dollarOptions?: readonly string[];
}
interface FlagSetting extends Shared {
  readonly kind: 'flag';
  /** Label of the box. */
  readonly says: string;
}
interface NumberSetting extends Shared {
  readonly kind: 'number';
  readonly rule: NumberRule;
  /** Unit: "minutes". */
  readonly unit: string;
}
/** A calendar day, `2026-12-11`; empty where none is set. */
interface DaySetting extends Shared {
  readonly kind: 'day';
}
interface AmountSetting extends Shared {
  readonly kind: 'amount';
  /** null: none. */
  readonly isOptional?: true;
  /** Smallest amount, in minor units. */
  readonly leastMinor?: bigint;
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
  | DaySetting
  | AmountSetting
  | ListSetting;

/** True for a choice that a company in this currency has. */
export function isOffered(
  { dollarOptions = [] }: ChoiceSetting,
  value: string,
  currency: Currency,
): boolean {
  return currency === 'USD' || !dollarOptions.includes(value);
}

/** Label and hint of a setting in a company's currency; null where it has no effect. */
export function settingWords(setting: Setting, currency: Currency): SettingWords | null {
  const words = setting.elsewhere?.[currency];
  return words === undefined ? setting : words;
}
