import type { AutomaticTransfers } from '#contract/api.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import { sentRule, type Rule } from './rules.ts';

/** Replaces the rules of an account by these. Refused where they were changed since they were read. */
export function sendRules(
  { walletId, version }: AutomaticTransfers,
  rules: readonly Rule[],
  options: CallOptions,
): Promise<AutomaticTransfers> {
  return call(
    'changeAutomaticTransfers',
    { params: { id: walletId }, body: { version, rules: rules.map(sentRule) } },
    options,
  );
}
