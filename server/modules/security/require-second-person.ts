import { DUTIES, settingOf } from '#contract/duties.ts';
import type { Duty, DutySetting } from '#contract/duties.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** So many names are in a refusal. */
const NAMED = 5;

const THRESHOLDS = {
  payroll: 'separatePayrollMinor',
  bankAccount: 'separateBankAccountMinor',
  payout: 'separatePayoutMinor',
  return: 'separateReturnMinor',
} as const satisfies Record<DutySetting, keyof CompanySettings>;

/** The least amount, in minor units, from which a duty takes two people; null: never. */
export function thresholdOf(settings: CompanySettings, duty: DutySetting): bigint | null {
  return settings[THRESHOLDS[duty]];
}

interface Step {
  /** What it is about, in minor units. */
  amountMinor: bigint;
  /** Who did the first step; null where nobody did. */
  doneBy: readonly (string | null)[];
  /** Who may not do it for another reason: it is their own. */
  notBy?: string;
  /** Whether it was settled at the first step that it takes two people, whatever the rules are now. */
  isSettled?: boolean;
}

/**
 * Refuses the second step of a duty to whoever did the first one.
 *
 * @throws {AppError} `second_person_needed`, naming who may do it
 */
export async function requireSecondPerson(
  reader: Reader,
  by: CommandContext,
  duty: Duty,
  step: Step,
): Promise<void> {
  if (!step.doneBy.includes(by.actor.id)) return;
  const least = thresholdOf(await readSettings(reader), settingOf(duty));
  const isAsked = least !== null && step.amountMinor >= least;
  if (!isAsked && step.isSettled !== true) return;
  throw await secondPersonNeeded(reader, DUTIES[duty].did, [
    by.actor.id,
    step.notBy ?? null,
    ...step.doneBy,
  ]);
}

/** The refusal that names what was done before, and the admins who did not do it. */
export async function secondPersonNeeded(
  reader: Reader,
  did: string,
  doneBy: readonly (string | null)[],
): Promise<AppError> {
  const others = await reader
    .selectFrom('appUser')
    .select('name')
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .where(
      'id',
      'not in',
      doneBy.filter((id) => id !== null),
    )
    .orderBy('name')
    .limit(NAMED)
    .execute();
  return new AppError('second_person_needed', {
    did,
    who: others.map(({ name }) => name).join(', ') || 'nobody yet; invite another administrator',
  });
}
