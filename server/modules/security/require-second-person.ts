import { sql } from 'kysely';
import { DUTIES, NEW_ADMIN_HOURS, settingOf } from '#contract/duties.ts';
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

const IS_RECENT = sql`redeemed_at > now() - make_interval(hours => ${NEW_ADMIN_HOURS})`;

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
 * Refuses the second step of a duty to whoever did the first one, and to whom they invited lately.
 *
 * @throws {AppError} `second_person_needed`, naming who may do it
 */
export async function requireSecondPerson(
  reader: Reader,
  by: CommandContext,
  duty: Duty,
  step: Step,
): Promise<void> {
  const did = await whatWasDone(reader, by, DUTIES[duty].did, step.doneBy);
  if (did === null) return;
  const least = thresholdOf(await readSettings(reader), settingOf(duty));
  const isAsked = least !== null && step.amountMinor >= least;
  if (!isAsked && step.isSettled !== true) return;
  throw await secondPersonNeeded(reader, did, [by.actor.id, step.notBy ?? null, ...step.doneBy]);
}

/**
 * Why the admin is not a second person beside who did the first step; null where they are one. Whoever
 * was invited by one of those lately is none, or each could make their own.
 *
 * @param did what is said where it was they who did it: "you approved this payout"
 */
export async function whatWasDone(
  reader: Reader,
  { actor }: CommandContext,
  did: string,
  doneBy: readonly (string | null)[],
): Promise<string | null> {
  if (doneBy.includes(actor.id)) return did;
  const inviter = await recentInviter(reader, actor.id);
  return inviter !== null && doneBy.includes(inviter)
    ? 'you were invited lately by the administrator who did the first step'
    : null;
}

/** By whose invite a person became an admin within the last days; null where by nobody's. */
export async function recentInviter(reader: Reader, adminId: string): Promise<string | null> {
  const { rows } = await sql<{ createdBy: string | null }>`
    SELECT created_by FROM admin_invite WHERE redeemed_by = ${adminId} AND ${IS_RECENT}`.execute(
    reader,
  );
  return rows[0]?.createdBy ?? null;
}

/** Who became an admin within the last days by an invite of one of these. */
async function newlyInvitedBy(
  reader: Reader,
  doneBy: readonly (string | null)[],
): Promise<string[]> {
  const { rows } = await sql<{ redeemedBy: string }>`
    SELECT redeemed_by FROM admin_invite
     WHERE created_by = ANY (${doneBy.filter((id) => id !== null)}::uuid[])
       AND ${IS_RECENT}`.execute(reader);
  return rows.map(({ redeemedBy }) => redeemedBy);
}

/** The refusal that names what was done before, and the admins who did not do it. */
export async function secondPersonNeeded(
  reader: Reader,
  did: string,
  doneBy: readonly (string | null)[],
): Promise<AppError> {
  const excluded = [
    ...doneBy.filter((id) => id !== null),
    ...(await newlyInvitedBy(reader, doneBy)),
  ];
  const others = await reader
    .selectFrom('appUser')
    .select('name')
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .where('id', 'not in', excluded)
    .orderBy('name')
    .limit(NAMED)
    .execute();
  return new AppError('second_person_needed', {
    did,
    who: others.map(({ name }) => name).join(', ') || 'nobody yet; invite another administrator',
  });
}
