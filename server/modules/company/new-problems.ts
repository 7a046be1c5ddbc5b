import { settingsProblems } from '#contract/settings-problems.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';

export interface Change {
  names: readonly SettingName[];
  before: SettingValues;
  after: SettingValues;
}

/** Numbers of the account that deposits are sent to. */
const RECEIVING: SettingName[] = ['receivingRoutingNumber', 'receivingAccountNumber'];

/** Faults of settings together that a change makes or touches. Those that were there before refuse no other change. */
export function newProblems({ names, before, after }: Change): [SettingName, string][] {
  const former = settingsProblems(before);
  const isChanged = (...some: SettingName[]) => names.some((name) => some.includes(name));
  if (names.length === 0) return [];
  return (
    (Object.entries(settingsProblems(after)) as [SettingName, string][])
      .filter(([name, message]) => isChanged(name) || former[name] !== message)
      // A change of the currency leaves the receiving account as it is: it stands on another page of the set-up.
      .filter(([name]) => !RECEIVING.includes(name) || isChanged(...RECEIVING))
  );
}
