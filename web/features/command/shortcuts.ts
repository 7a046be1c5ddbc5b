import type { RowAct } from '#web/kit/row-keys.ts';

/**
 * Keyboard shortcuts of the back office. Each opens a screen or dialog. A key alone never moves
 * money.
 */

/** Common actions, each with a single key. */
export const ACTIONS = [
  { key: 'p', label: 'Send Payroll', href: '/admin/payroll' },
  { key: 'f', label: 'Fund Employee', href: '/admin/individual-funding' },
  { key: 'n', label: 'Add Employee', href: '/admin/employees?task=add' },
] as const;

/** Key that follows `G`, by the path of the screen that it opens. */
export const GO_TO: Readonly<Record<string, string>> = {
  d: '/admin/dashboard',
  o: '/admin/employees',
  k: '/admin/kyc-review',
  b: '/admin/bank-accounts',
  p: '/admin/payouts',
  r: '/admin/payroll',
  i: '/admin/individual-funding',
  m: '/admin/deposits',
  w: '/admin/withdrawals',
  l: '/admin/bills',
  t: '/admin/transactions',
  s: '/admin/settings',
  a: '/admin/audit',
  n: '/admin/company-bank',
  e: '/admin/close',
};

/** Time in which the second key must follow `G`. */
const SEQUENCE_MS = 1_500;

/** Keys that act on the focused row of a list. `web/kit/row-keys.ts` runs the act. */
const ROW_KEYS: Readonly<Record<string, RowAct>> = {
  j: 'next',
  k: 'previous',
  Enter: 'open',
  x: 'select',
  a: 'approve',
  r: 'reject',
  m: 'match',
};

/** Result of a key press. */
export type Wish =
  | { kind: 'palette' | 'sheet' | 'find' | 'export' }
  | { kind: 'go'; href: string }
  | { kind: 'row'; act: RowAct };

/** Properties of a press that matter here. A `KeyboardEvent` has them. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Reads a sequence of key presses and returns what each one requests.
 *
 * @param now monotonic time in milliseconds
 */
export function createReader(
  now: () => number,
): (press: Press, areSingleKeysOn: boolean) => Wish | null {
  let goSince = -Infinity;
  return ({ key, ctrlKey, metaKey, altKey, shiftKey }, areSingleKeysOn) => {
    const isSecond = now() - goSince < SEQUENCE_MS;
    goSince = -Infinity;
    const letter = key.toLowerCase();
    if ((ctrlKey || metaKey) && !altKey) return letter === 'k' ? { kind: 'palette' } : null;
    if (!areSingleKeysOn || altKey) return null;
    if (isSecond) {
      const href = GO_TO[letter];
      return href === undefined ? null : { kind: 'go', href };
    }
    if (letter === 'g') {
      goSince = now();
      return null;
    }
    return singleKey(key, letter, shiftKey);
  };
}

function singleKey(key: string, letter: string, isShifted: boolean): Wish | null {
  if (key === '?') return { kind: 'sheet' };
  if (key === '/') return { kind: 'find' };
  if (letter === 'e') return { kind: 'export' };
  const act = ROW_KEYS[key === 'Enter' ? key : letter];
  if (act !== undefined) {
    return { kind: 'row', act: act === 'select' && isShifted ? 'selectUpTo' : act };
  }
  const action = ACTIONS.find((each) => each.key === letter);
  return action === undefined ? null : { kind: 'go', href: action.href };
}
