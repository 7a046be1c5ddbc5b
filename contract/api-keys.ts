/**
 * Requests that a company's own systems may make by API key. A key has scopes; an operation that a key
 * may reach declares one (`scope` in routes/), and every other operation refuses keys. Free of zod.
 */
import { NAME_MAX_LENGTH } from './limits.ts';
import { line } from './rules.ts';
import type { NumberRule } from './rules.ts';
import { keysOf } from './keys.ts';

/** Every scope and what it lets a key do. None decides on a request of a person: that takes a person. */
export const API_SCOPES = {
  'people:read': 'Read employees and applicants',
  'people:write': 'Add employees and change where they work',
  'payroll:read': 'Read payrolls and funding',
  'payroll:write': 'Send payrolls and fund employees',
  'withdrawals:read': 'Read withdrawals',
  'deposits:read': 'Read deposits',
  'bills:read': 'Read bill payments',
  'transactions:read': 'Read the log of transactions',
  'audit:read': 'Read the audit trail',
} as const;
export type ApiScope = keyof typeof API_SCOPES;
export const API_SCOPE_IDS = keysOf(API_SCOPES);

/** Lifetime of a key. No key is valid forever. */
export const API_KEY_DAYS: NumberRule = {
  least: 1,
  most: 365,
  problem: 'Enter a number of days from 1 to 365',
};

/** Purpose of the key: "Time tracking". */
export const apiKeyNameRule = line(NAME_MAX_LENGTH, 'Enter a name for the key');

/** Scopes that send money. A key with one of them has a limit for each day. */
const MONEY_SCOPES: readonly ApiScope[] = ['payroll:write'];
export function sendsMoney(scopes: readonly string[]): boolean {
  return MONEY_SCOPES.some((scope) => scopes.includes(scope));
}
export const NO_LIMIT_PROBLEM = 'Enter the most that the key sends in a day';

export const NO_SCOPES_PROBLEM = 'Choose at least one scope';

/** Prefix of every key, by which people and scanners of source code recognize one. */
export const API_KEY_PREFIX = 'purser_key_';
