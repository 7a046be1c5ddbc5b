import { URGENCIES } from '#contract/statuses.ts';
import { keptInTab } from '#web/lib/storage.ts';
import type { WithdrawalValues } from './check-withdrawal.ts';

/**
 * Typed input that survives a reload and signing in again, in this tab. Kept per person: the next one
 * at the same computer does not see it.
 */
const keyOf = (userId: string) => `purser.withdrawal-draft.${userId}`;

export function saveDraft(userId: string, values: WithdrawalValues): void {
  keptInTab.set(keyOf(userId), JSON.stringify(values));
}

export function forgetDraft(userId: string): void {
  keptInTab.set(keyOf(userId), null);
}

/** The latest typed input, as far as it can be read. */
export function loadDraft(userId: string): Partial<WithdrawalValues> {
  const stored = keptInTab.get(keyOf(userId));
  return stored === null ? {} : readDraft(stored);
}

function readDraft(stored: string): Partial<WithdrawalValues> {
  let draft: unknown;
  try {
    draft = JSON.parse(stored);
  } catch {
    return {};
  }
  if (typeof draft !== 'object' || draft === null) return {};
  const fields = draft as Record<string, unknown>;
  const known: Partial<WithdrawalValues> = {};
  for (const name of ['walletId', 'amount', 'bankAccountId', 'reason'] as const) {
    const value = fields[name];
    if (typeof value === 'string') known[name] = value;
  }
  const urgency = URGENCIES.find((each) => each === fields['urgency']);
  return urgency === undefined ? known : { ...known, urgency };
}
