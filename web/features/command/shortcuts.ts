import type { RowAct } from '#web/kit/row-keys.ts';

/** The keys of the back office. Each leads somewhere; money is never moved by a key alone. */

/** What is done most, by a single key. */
export const ACTIONS = [
  { key: 'p', label: 'Send Payroll', href: '/admin/payroll' },
  { key: 'f', label: 'Fund Employee', href: '/admin/individual-funding' },
  { key: 'n', label: 'Add Employee', href: '/admin/employees?task=add' },
] as const;

/** Where `G` and then the key leads, by the path of the screen. */
export const GO_TO: Readonly<Record<string, string>> = {
  d: '/admin/dashboard',
  e: '/admin/employees',
  k: '/admin/kyc-review',
  b: '/admin/bank-accounts',
  p: '/admin/payroll',
  i: '/admin/individual-funding',
  m: '/admin/deposits',
  w: '/admin/withdrawals',
  l: '/admin/bills',
  t: '/admin/transactions',
  s: '/admin/settings',
  a: '/admin/audit',
};

/** After `G`, the second key has so long to follow. */
const SEQUENCE_MS = 1_500;

/** What a key does in a list, to the row with the focus; `web/kit/row-keys.ts` does it. */
const ROW_KEYS: Readonly<Record<string, RowAct>> = {
  j: 'next',
  k: 'previous',
  Enter: 'open',
  x: 'select',
  a: 'approve',
  r: 'reject',
};

/** What a key asks for. */
export type Wish =
  | { kind: 'palette' | 'sheet' | 'find' | 'export' }
  | { kind: 'go'; href: string }
  | { kind: 'row'; act: RowAct };

/** A press, as far as it matters here; a `KeyboardEvent` is one. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Reads presses one after another and says what they ask for.
 *
 * @param now milliseconds that only grow
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
