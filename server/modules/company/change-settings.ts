import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { ADMINS_TO_SEPARATE, DUTY_SETTING_NAMES, DUTY_SETTINGS } from '#contract/duties.ts';
import { SETTINGS } from '#contract/settings.ts';
import type { Setting } from '#contract/setting-kinds.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  changedNames,
  lockSettings,
  readSettings,
  settingValues,
} from '#server/modules/settings/index.ts';
import { canSeparate, peopleNeeded, readDuties } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { applyValues } from './apply-values.ts';
import { getSettings, isCurrencyFixed } from './get-settings.ts';
import { isLooser, separatesMore } from './looser.ts';
import { newProblems } from './new-problems.ts';
import type { Change } from './new-problems.ts';
import { proposeChange } from './proposals.ts';
import { checkUnchanged } from './unchanged.ts';

/**
 * Changes settings. They apply from the next request on, whichever process answers it. While a duty
 * is in force, a change that loosens the rules about money is proposed instead. It replaces an
 * earlier proposal, and applies once another admin accepts it. Otherwise one admin alone could
 * switch the second one off.
 *
 * @throws {AppError} `settings_changed` when another admin changed one of these settings since that
 *   version; `currency_stays` once an account was opened; `invalid_request` for settings that
 *   contradict each other; `amount_invalid` for an amount in another currency than the company's;
 *   `two_admins_needed`; `more_admins_needed` for duties that fewer people than there are could not carry out
 */
export async function changeSettings(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { version, settings: given }: RouteArguments<'adminUpdateSettings'>['body'],
): Promise<Omit<RouteReply<'adminUpdateSettings'>, 'hasMailServer'>> {
  await lockSettings(tx);
  const before = settingValues(await readSettings(tx));
  const after = merged(before, given);
  const names = changedNames(before, after);
  await checkUnchanged(tx, { names, version });
  if (names.includes('currency')) await checkCurrencyOpen(tx);
  checkAmounts(names, after);
  checkTogether({ names, before, after });
  const duties = await readDuties(tx);
  if (separatesMore(before, after)) checkEnoughPeople(duties, after);
  const proposed = waitingNames(duties, { names, before, after });
  const applied = names.filter((name) => !proposed.includes(name));
  if (proposed.length > 0)
    await proposeChange(tx, services, by, { names: proposed, before, after });
  if (applied.length > 0) await applyValues(tx, services, by, pick(after, applied));
  return { ...(await getSettings(tx, services, by.actor.id)), proposed };
}

/** True if loosening this setting waits for another admin: while a duty is in force, or once two people can act. */
function takesTwo(duties: Duties, name: SettingName): boolean {
  const { isAlwaysByTwo }: Setting = SETTINGS[name];
  return duties.inForce.size > 0 || (isAlwaysByTwo === true && canSeparate(duties));
}

/** @throws {AppError} `two_admins_needed`, `more_admins_needed` */
function checkEnoughPeople({ people }: Duties, after: SettingValues): void {
  const active = people.length;
  if (active < ADMINS_TO_SEPARATE) throw new AppError('two_admins_needed');
  const needed = peopleNeeded(
    DUTY_SETTINGS.filter((duty) => after[DUTY_SETTING_NAMES[duty]] !== null),
  );
  if (active < needed) throw new AppError('more_admins_needed', { needed, active });
}

type Given = { [Name in SettingName]?: SettingValues[Name] | undefined };

/** Merges the changes into the settings. Domains are sorted, without duplicates. */
function merged(before: SettingValues, given: Given): SettingValues {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  const after = { ...before, ...(Object.fromEntries(known) as Partial<SettingValues>) };
  return { ...after, joinDomains: [...new Set(after.joinDomains)].toSorted() };
}

/** Only these settings. */
function pick(values: SettingValues, names: readonly SettingName[]): Partial<SettingValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<SettingValues>;
}

/** The lock keeps the first account from being opened until the change is committed. */
async function checkCurrencyOpen(tx: Tx): Promise<void> {
  await sql`SELECT lock_currency(false)`.execute(tx);
  if (await isCurrencyFixed(tx)) throw new AppError('currency_stays');
}

/** Changed amounts must be in the currency that the company has after the change. */
function checkAmounts(names: readonly SettingName[], values: SettingValues): void {
  const isOther = names.some((name) => {
    const value = values[name];
    const isAmount = typeof value === 'object' && value !== null && 'currency' in value;
    return isAmount && value.currency !== values.currency;
  });
  if (isOther) throw new AppError('amount_invalid');
}

/** Names that wait for another admin: what loosens the rules, and what would contradict the settings without that. */
function waitingNames(duties: Duties, { names, before, after }: Change): SettingName[] {
  const looser = names.filter((name) => isLooser(name, before, after) && takesTwo(duties, name));
  const problemsWithout = (waiting: readonly SettingName[]) => {
    const others = names.filter((name) => !waiting.includes(name));
    return newProblems({ names: others, before, after: { ...before, ...pick(after, others) } });
  };
  const sections = problemsWithout(looser).map(([name]) => SETTINGS[name].section);
  const waiting = names.filter(
    (name) => looser.includes(name) || sections.includes(SETTINGS[name].section),
  );
  return problemsWithout(waiting).length === 0 ? waiting : [...names];
}

/** @throws {AppError} `invalid_request` for settings that contradict each other */
function checkTogether(change: Change): void {
  const problems = newProblems(change);
  if (problems.length === 0) return;
  throw new AppError(
    'invalid_request',
    {},
    problems.map(([name, message]) => ({ path: `settings.${name}`, message })),
  );
}
