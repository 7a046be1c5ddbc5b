import type { DutySetting } from '#contract/duties.ts';
import type { Separation } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import { isSecondPerson, listSecondPeople } from '#server/modules/identity/index.ts';
import type { SecondPerson } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

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

/** The rules about two people as they are now, and the administrators who can fulfil them. */
export interface Duties {
  settings: CompanySettings;
  people: readonly SecondPerson[];
  /** Duties that came into force and were not switched off since. */
  noted: ReadonlySet<DutySetting>;
}

/** @param known the settings, if they were read already */
export async function readDuties(reader: Reader, known?: CompanySettings): Promise<Duties> {
  const settings = known ?? (await readSettings(reader));
  const people = await listSecondPeople(reader);
  const rows = await reader.selectFrom('dutyInForce').select('duty').execute();
  return { settings, people, noted: new Set(rows.map(({ duty }) => duty)) };
}

/**
 * True if a duty takes two people now: it is switched on, and two people can fulfil it or could at an
 * earlier moment. Whoever then leaves or has a password reset does not put it out of force.
 */
export function isInForce(duties: Duties, duty: DutySetting): boolean {
  return thresholdOf(duties.settings, duty) !== null && (duties.noted.has(duty) || twoCan(duties));
}

/** The least amount, in minor units, from which a duty takes two people now; null: it takes one. */
export function thresholdInForce(duties: Duties, duty: DutySetting): bigint | null {
  return isInForce(duties, duty) ? thresholdOf(duties.settings, duty) : null;
}

/** Like `thresholdInForce` for one duty; reads nothing but the settings while it is switched off. */
export async function readThreshold(
  reader: Reader,
  settings: CompanySettings,
  duty: DutySetting,
): Promise<bigint | null> {
  if (thresholdOf(settings, duty) === null) return null;
  return thresholdInForce(await readDuties(reader), duty);
}

function twoCan({ people }: Duties): boolean {
  return people.filter(isSecondPerson).length >= 2;
}

/**
 * The administrator with whom there are two who can fulfil a duty, and from when; null where there are
 * not two who will.
 */
export function secondOfTwo({ people }: Duties): SecondPerson | null {
  const [, second] = people
    .filter(({ needsTwoFactor }) => !needsTwoFactor)
    .toSorted((one, other) => (one.from?.getTime() ?? 0) - (other.from?.getTime() ?? 0));
  return second ?? null;
}

/** True if an administrator can be somebody's second person now. */
export function mayBeSecond({ people }: Duties, actorId: string): boolean {
  const me = people.find(({ id }) => id === actorId);
  return me !== undefined && isSecondPerson(me);
}

export interface Step {
  /** Amount that it is about, in minor units; left out where the separation holds for each amount. */
  amountMinor?: bigint;
  /** Ids of those who did the earlier acts; null for an act that nobody did. */
  doneBy: readonly (string | null)[];
  /** Id of the person who may not do it for another reason: it is their own. */
  notBy?: string;
}

/** Reason why an administrator may not do an act, and who may. */
export interface Refusal {
  /** "you sent this payroll", "you cannot be a second person yet" */
  why: string;
  /** Those who may, each with from when; null: now. "You" is the administrator who asks. */
  people: readonly Pick<SecondPerson, 'name' | 'from'>[];
}

/** Refusal of an act by a separation of duties; null where the administrator may do it. */
export function refusalOf(
  duties: Duties,
  actorId: string,
  { rule, did }: Omit<Separation, 'after'>,
  { amountMinor = 0n, doneBy, notBy }: Step,
): Refusal | null {
  if (rule !== 'always') {
    const least = thresholdInForce(duties, rule);
    if (least === null || amountMinor < least) return null;
  }
  if (doneBy.every((id) => id === null)) return null;
  const me = duties.people.find(({ id }) => id === actorId);
  const isDone = doneBy.includes(actorId);
  if (!isDone && mayBeSecond(duties, actorId)) return null;
  const others = duties.people.filter(
    ({ id, needsTwoFactor }) =>
      !needsTwoFactor && id !== actorId && id !== notBy && !doneBy.includes(id),
  );
  if (isDone) return { why: did, people: others };
  const from = me?.from ?? null;
  return {
    why: 'you cannot be a second person yet',
    people: from === null ? others : [...others, { name: 'You', from }],
  };
}
