import { EMAIL_MAX_LENGTH } from './limits.ts';
import { line } from './rules.ts';
import type { NumberRule, TextRule } from './rules.ts';

export const ROLES = ['employee', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const DEFAULT_DEPARTMENT = 'general';
export const DEFAULT_POSITION = 'Employee';

/** Deliberately loose: one @, something on both sides, a dot in the domain, no white space. */
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

export const emailRule: TextRule = {
  clean: (typed) => typed.trim().toLowerCase(),
  maxLength: EMAIL_MAX_LENGTH,
  problem: (text) =>
    text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text)
      ? undefined
      : 'Enter a valid email address',
};

/** How long a user may ask for nothing and stay signed in. */
export const IDLE_MINUTES: NumberRule = {
  least: 5,
  most: 1_440,
  problem: 'Enter a number of minutes from 5 to 1440',
};

/** `284193` of `284 193` as it was typed; undefined for what is no code of an app. */
export function appCodeOf(typed: string): string | undefined {
  const digits = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/** How many recovery codes a user gets at once. */
/** What a person calls a passkey of theirs. */
export const passkeyRules = { name: line(60) };

export const RECOVERY_CODES = 10;

/**
 * Sent with any value by the browser on requests that nobody asked for: a list read again because a
 * live event came or the window took focus. Such a request keeps no idle admin signed in.
 */
export const BACKGROUND_HEADER = 'purser-background';
