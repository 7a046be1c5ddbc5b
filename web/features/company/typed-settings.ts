import { MISSING, problemOf, problemUnlessEmpty, readNumber } from '#contract/rules.ts';
import {
  AMOUNT_PROBLEM,
  decimalAmount,
  money,
  readAmount,
  type Currency,
  type Money,
} from '#contract/money.ts';
import type { Setting } from '#contract/setting-kinds.ts';
import { settingsProblems } from '#contract/settings-problems.ts';
import {
  leastAmountProblem,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from '#contract/settings.ts';
import { formatDay } from '#web/lib/format.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';

/** Value of a setting's field: a boolean for a checkbox, text for the others. */
export type Typed = string | boolean;

type Value = SettingValues[SettingName];

/** Converts a value to its field's text. */
export function typedOf(name: SettingName, value: Value): Typed {
  if (value === null || value === '') return '';
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return amountText(value);
  if (SETTINGS[name].kind === 'day') return typedDate(String(value));
  return String(value);
}

/** Parses a field's text to a value, or returns the error. */
export function readTyped(
  name: SettingName,
  typed: Typed,
  currency: Currency,
): { value: Value } | { problem: string } {
  const setting: Setting = SETTINGS[name];
  if (typeof typed === 'boolean') return { value: typed };
  switch (setting.kind) {
    case 'text': {
      const problem = (setting.isOptional === true ? problemUnlessEmpty : problemOf)(
        setting.rule,
        typed,
      );
      return problem === undefined ? { value: setting.rule.clean(typed) } : { problem };
    }
    case 'day': {
      if (typed.trim() === '') return { value: '' };
      const problem = typedDateProblem(typed);
      return problem === undefined ? { value: parseTypedDate(typed) ?? '' } : { problem };
    }
    case 'number': {
      const value = readNumber(setting.rule, typed);
      return value === null ? { problem: setting.rule.problem } : { value };
    }
    case 'amount': {
      if (typed.trim() === '') {
        return setting.isOptional === true ? { value: null } : { problem: MISSING };
      }
      const minor = readAmount(typed, currency);
      const problem =
        minor === null ? AMOUNT_PROBLEM : leastAmountProblem(setting, minor, currency);
      return problem === undefined ? { value: money(minor ?? 0n, currency) } : { problem };
    }
    case 'list': {
      const parts = typed.split(/[,;\s]+/).filter((part) => part !== '');
      const problem = parts.map((part) => problemOf(setting.rule, part)).find(Boolean);
      if (problem !== undefined) return { problem };
      if (parts.length > setting.most) return { problem: `Enter at most ${setting.most}` };
      return { value: [...new Set(parts.map(setting.rule.clean))].toSorted() };
    }
    case 'choice':
    case 'flag':
      // The field offers only valid choices.
      return { value: typed as Value };
  }
}

/** Parses all typed settings, or returns the errors by name. */
export function readAll(
  typed: Partial<Record<SettingName, Typed>>,
  values: SettingValues,
  currency: Currency,
): { settings: Partial<SettingValues>; problems: Partial<Record<SettingName, string>> } {
  const settings: Partial<Record<SettingName, Value>> = {};
  const problems: Partial<Record<SettingName, string>> = {};
  for (const [name, text] of Object.entries(typed) as [SettingName, Typed][]) {
    const read = readTyped(name, text, currency);
    if ('problem' in read) problems[name] = read.problem;
    else settings[name] = read.value;
  }
  const whole = { ...values, ...(settings as Partial<SettingValues>) };
  return {
    settings: settings as Partial<SettingValues>,
    problems: { ...settingsProblems(whole), ...problems },
  };
}

export function isSame(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Describes a value: "30 seconds", "Monthly", "$2,500.00". */
export function wordsOf(name: SettingName, value: Value): string {
  const setting: Setting = SETTINGS[name];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value === null || value === '') return 'Not set';
  if (Array.isArray(value)) return value.length === 0 ? 'Not set' : value.join(', ');
  if (typeof value === 'object') return `${amountText(value)} ${value.currency}`;
  if (setting.kind === 'number') return `${value} ${setting.unit}`;
  if (setting.kind === 'day') return formatDay(String(value), 'date');
  if (setting.kind === 'choice') return setting.options[value] ?? String(value);
  return String(value);
}

function amountText({ minor }: Money): string {
  return groupAmount(decimalAmount(BigInt(minor)));
}
