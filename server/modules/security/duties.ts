import { ADMINS_TO_SEPARATE, DUTY_SETTINGS, whoCanWords } from '#contract/duties.ts';
import type { DutySetting } from '#contract/duties.ts';
import type { Separation } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  isSecondPerson,
  oneUntil,
  onesOf,
  readSecondPeople,
} from '#server/modules/identity/index.ts';
import type { SecondPeople, SecondPerson } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { peopleNeeded } from './people-needed.ts';

const THRESHOLDS = {
  payroll: 'separatePayrollMinor',
  deposit: 'separateDepositMinor',
  bankAccount: 'separateBankAccountMinor',
  payout: 'separatePayoutMinor',
  return: 'separateReturnMinor',
  usualPay: 'separateUsualPayMinor',
} as const satisfies Record<DutySetting, keyof CompanySettings>;

/** The least amount, in minor units, from which a duty takes two people; null: never. */
export function thresholdOf(settings: CompanySettings, duty: DutySetting): bigint | null {
  return settings[THRESHOLDS[duty]];
}

/** The rules about two people as they are now, and the administrators who can fulfil them. */
export interface Duties extends SecondPeople {
  settings: CompanySettings;
  inForce: ReadonlySet<DutySetting>;
}

/** @param known the settings, if they were read already */
export async function readDuties(reader: Reader, known?: CompanySettings): Promise<Duties> {
  const settings = known ?? (await readSettings(reader));
  const others = await readSecondPeople(reader, settings.timeZone);
  return { ...others, settings, inForce: dutiesInForce(settings, others) };
}

/** Duties that are switched on. */
export function dutiesSwitchedOn(settings: CompanySettings): DutySetting[] {
  return DUTY_SETTINGS.filter((duty) => thresholdOf(settings, duty) !== null);
}

/**
 * Duties that take several people now: they are switched on, and as many people as they need can fulfil them or could
 * at an earlier moment. Whoever then leaves or has a password reset does not put them out of force. One that would
 * need more people than there are, next to those in force, is not in force.
 */
function dutiesInForce(
  settings: CompanySettings,
  { people, noted }: SecondPeople,
): ReadonlySet<DutySetting> {
  const able = people.filter(isSecondPerson).length;
  const on = dutiesSwitchedOn(settings);
  const inForce = new Set(on.filter((duty) => noted.has(duty)));
  for (const duty of on) {
    if (able >= peopleNeeded([...inForce, duty])) inForce.add(duty);
  }
  return inForce;
}

export function isInForce({ inForce }: Duties, duty: DutySetting): boolean {
  return inForce.has(duty);
}

/**
 * The least amount, in minor units, from which a duty takes two people now; null: it takes one. Amounts add up: it is
 * what is left of the threshold after everything that administrators did alone under the duty in this month of the
 * company (decision 061). Each place that compares an amount with a threshold asks this.
 *
 * Under `bankAccount` they add up for each person paid, whose sum is added to the amount instead
 * (`countedWith`).
 */
export function thresholdInForce(duties: Duties, duty: DutySetting): bigint | null {
  const least = isInForce(duties, duty) ? thresholdOf(duties.settings, duty) : null;
  if (least === null) return null;
  const left = least - (duties.alone.get(duty) ?? 0n);
  return left > 0n ? left : 0n;
}

/** True if a rule takes two people for an amount, in minor units, now. */
export function takesTwo(duties: Duties, rule: Separation['rule'], amountMinor: bigint): boolean {
  if (rule === 'always') return true;
  const least = thresholdInForce(duties, rule);
  return least !== null && amountMinor >= least;
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

/** True if two people can fulfil a duty now. */
export function canSeparate({ people }: Duties): boolean {
  return people.filter(isSecondPerson).length >= ADMINS_TO_SEPARATE;
}

/** Administrators who can fulfil duties now or later, in the order of time. */
function ableInOrder({ people }: Pick<Duties, 'people'>): SecondPerson[] {
  return people
    .filter(({ needsTwoFactor }) => !needsTwoFactor)
    .toSorted((one, other) => (one.from?.getTime() ?? 0) - (other.from?.getTime() ?? 0));
}

/**
 * The administrator with whom there are enough to fulfil the duties that are switched on, and from when. The second
 * one while none is. Null where there are not enough.
 */
export function lastOfNeeded(duties: Duties): SecondPerson | null {
  const needed = peopleNeeded(dutiesSwitchedOn(duties.settings));
  return ableInOrder(duties)[needed - 1] ?? null;
}

/** True if an administrator can be somebody's second person now. */
export function mayBeSecond({ people }: Duties, actorId: string): boolean {
  const me = people.find(({ id }) => id === actorId);
  return me !== undefined && isSecondPerson(me);
}

/** Ids of everybody who counts as one person with an administrator: whoever that one invited or reset, and theirs. */
export function onesWith({ links }: Duties, actorId: string): string[] {
  return onesOf(links, actorId);
}

export interface Step {
  /** Amount that it is about, in minor units; left out where the separation holds for each amount. */
  amountMinor?: bigint;
  /** Ids of those who did the earlier acts; null for an act that nobody did. */
  doneBy: readonly (string | null)[];
  /** Ids of the people who may not do it for another reason: it is their own. */
  notBy?: string | readonly string[];
}

/** Reason why an administrator may not do an act, and who may. */
export interface Refusal {
  /** "you sent this payroll", "you cannot be a second person yet" */
  why: string;
  /** Those who may, each with from when; null: now. "You" is the administrator who asks. */
  people: readonly Pick<SecondPerson, 'name' | 'from'>[];
}

/**
 * True if an administrator does an act alone: they did an earlier act that it is separated from, or count as one with
 * who did it, or are nobody's second person. Also where a first step is needed from an amount on, and nobody did it.
 */
export function isAlone(
  duties: Duties,
  actorId: string,
  { doneBy, unlessDone }: Pick<Step, 'doneBy'> & Pick<Separation, 'unlessDone'>,
): boolean {
  const earlier = doneBy.filter((id) => id !== null);
  if (earlier.length === 0) return unlessDone !== undefined;
  const ones = onesWith(duties, actorId);
  return !mayBeSecond(duties, actorId) || earlier.some((id) => ones.includes(id));
}

/** Refusal of an act by a separation of duties; null where the administrator may do it. */
export function refusalOf(
  duties: Duties,
  actorId: string,
  { rule, did }: Omit<Separation, 'after'>,
  { amountMinor = 0n, doneBy, notBy }: Step,
): Refusal | null {
  if (!takesTwo(duties, rule, amountMinor)) return null;
  if (!isAlone(duties, actorId, { doneBy })) return null;
  const earlier = doneBy.filter((id) => id !== null);
  const { people } = duties;
  const isDone = earlier.includes(actorId);
  const letIn = earlier.find((id) => onesWith(duties, actorId).includes(id));
  const able = people.filter(
    ({ id, needsTwoFactor }) =>
      !needsTwoFactor && ![notBy].flat().includes(id) && !earlier.includes(id),
  );
  const others = able.map((one) => ({ ...one, from: aloneFrom(duties, one, earlier) }));
  const isMe = ({ id }: SecondPerson) => id === actorId;
  return {
    why: whyNot(),
    people: [
      ...others.filter((one) => !isMe(one)),
      ...others.filter((one) => isMe(one)).map((one) => ({ ...one, name: 'You' })),
    ],
  };

  function whyNot(): string {
    if (isDone) return did;
    if (letIn === undefined) return 'you cannot be a second person yet';
    const name = people.find(({ id }) => id === letIn)?.name ?? 'the person before you';
    return `the invite or reset that let ${name} in goes back to you`;
  }
}

/** Time from which an administrator can be a second person after what these people did; null: now. */
function aloneFrom(
  { links }: Duties,
  { id, from }: SecondPerson,
  earlier: readonly string[],
): Date | null {
  const until = earlier.flatMap((other) => oneUntil(links, id, other) ?? []);
  return (
    [...until, ...(from === null ? [] : [from])].toSorted(
      (one, other) => other.getTime() - one.getTime(),
    )[0] ?? null
  );
}

/** Administrators who may do an act, as screens show them: each with from when, as an ISO time; null: now. */
export function presentSecondPeople(
  people: Refusal['people'],
): { name: string; from: string | null }[] {
  return people.map(({ name, from }) => ({ name, from: from?.toISOString() ?? null }));
}

/** The refusal as a sentence, its moments in the company's time zone. */
export function secondPersonNeeded({ why, people }: Refusal, timeZone: string): AppError {
  const write = (at: string) => writeMoment(new Date(at), timeZone, 'weekday');
  return new AppError('second_person_needed', {
    did: why,
    who: whoCanWords(presentSecondPeople(people), write),
  });
}
