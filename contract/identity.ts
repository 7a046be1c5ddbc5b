import { line, numberText } from './rules.ts';
import type { NumberRule } from './rules.ts';

/** Kinds of links to choose a password: the first one, or a new one for who has one. */
export const PASSWORD_LINK_KINDS = ['first', 'reset'] as const;

export const ROLES = ['employee', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const DEFAULT_DEPARTMENT = 'general';
export const DEFAULT_POSITION = 'Employee';

/** Time without a request after which a session ends. */
export const IDLE_MINUTES: NumberRule = {
  least: 5,
  most: 1_440,
  problem: 'Enter a number of minutes from 5 to 1440',
};

/** `284193` of `284 193` as it was typed; undefined for what is no code of an app. */
export function appCodeOf(typed: string): string | undefined {
  const digits = numberText(typed).replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/** Number of recovery codes in a set. */
/** Rule for the name of a passkey. */
export const passkeyRules = { name: line(60) };

export const RECOVERY_CODES = 10;

/**
 * Sent with any value by the browser on requests that nobody asked for: a list read again because a
 * live event came or the window took focus. Such a request keeps no idle admin signed in.
 */
export const BACKGROUND_HEADER = 'purser-background';

/**
 * Sent with the id of the person that the page was drawn for. Where somebody else has signed in since in
 * another tab of the browser, a request that changes something is refused.
 */
export const PERSON_HEADER = 'purser-person';

/**
 * Position of the database in its log, in bytes, that reads of this browser need at least: that after its last change,
 * or after a change that a live event announced. Where reads may come from a replica, each reply to a change has it in
 * the header and sets the cookie; the page raises the cookie (`web/api/position.ts`).
 */
export const POSITION_HEADER = 'purser-position';
export const POSITION_COOKIE = 'purser.position';
/** Time for which the cookie is kept, in seconds. Every replica that is read has the change long before. */
export const POSITION_LIFE_S = 60;
