import { SUMMED_DUTIES } from '#contract/duties.ts';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Separation, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { personOf } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { refusalOfStatus } from '#server/modules/journal/index.ts';
import {
  isAlone,
  isInForce,
  refusalOf,
  secondPersonNeeded,
  takesTwo,
  thresholdOf,
} from '#server/modules/security/index.ts';
import type { AmountLimit } from '#server/modules/security/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { isByPerson, readKnown, separationsAbout, separationsOf } from './guard-facts.ts';
import type { Known } from './guard-facts.ts';
import type { Kept, KeptRow } from './kept.ts';

export type Clocked = Pick<Services, 'clock'>;

/**
 * Refuses an act on a locked thing, in one order for all things: whose it is, the status, and what is
 * special about it (may money leave, does it take a second person).
 *
 * @returns the limits of amounts that it counts to, because an administrator does it alone
 * @throws {AppError} the thing's `notFound` where another person acts as its owner; `own_request`; the
 *   refusal of its status, which names to admins who acted last; what its guard refuses; `second_person_needed`
 */
export async function refuse<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(
  kept: Kept<T, Row, Needs, Facts, Legal>,
  act: ActOf<T>,
  { tx, services, by, row }: { tx: Tx; services: Needs; by: AuditContext; row: Row },
): Promise<Alone | null> {
  const alone = await refuseMany(kept, act, { tx, services, by, rows: [row], expected: 1 });
  return alone.get(row.id) ?? null;
}

/**
 * Refuses an act on many locked things, as `refuse` does on one, if one of them is refused.
 *
 * @returns what counts to limits of amounts, by the ids of the things
 * @throws {AppError} as `refuse`; the thing's `notFound` if not as many were locked as expected
 */
export async function refuseMany<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(
  kept: Kept<T, Row, Needs, Facts, Legal>,
  act: ActOf<T>,
  asked: { tx: Tx; services: Needs; by: AuditContext; rows: readonly Row[]; expected: number },
): Promise<ReadonlyMap<string, Alone>> {
  const { tx, services, by, rows, expected } = asked;
  if (rows.length !== expected) throw new AppError(kept.thing.refusals.notFound);
  const actorId = typeof by.actor === 'object' ? by.actor.id : null;
  for (const row of rows) {
    const ofOwner = refusalByOwner(kept.thing, act, { actorId, row });
    if (ofOwner !== null) throw ofOwner;
    if (!isLegal(kept, act, row)) throw await refusalOfStatus(tx, kept.thing, act, row);
    const ofRow = kept.rowGuards?.[act]?.(row) ?? null;
    if (ofRow !== null) throw ofRow;
  }
  const ids = rows.map(({ id }) => id);
  const facts = await readKnown(tx, services, kept, { ids, acts: [act] });
  const counted = new Map<string, Alone>();
  for (const row of rows) {
    const known = facts?.get(row.id);
    if (known === undefined) continue;
    const special = refusalByFacts(kept, act, { actorId: () => personOf(by).actor.id, row, known });
    if (special !== null) throw special;
    const alone = actorId === null ? null : aloneIn(kept.thing, act, { actorId, row, known });
    if (alone !== null) counted.set(row.id, alone);
  }
  return counted;
}

/**
 * Refuses what a person is about to do with many things, one after the other, if one of them would be refused because of
 * who they are: it is their own, or a separation of duties is about it, also together with those before it. Their
 * statuses are not compared. Guards that read more than the row are none of its.
 *
 * @param asked.aloneMinor sum of what they are about to do alone besides
 * @returns that sum with these
 * @throws {AppError} `own_request`, `second_person_needed`
 */
export async function refuseEach<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(
  kept: Kept<T, Row, Needs, Facts, Legal>,
  act: ActOf<T>,
  asked: {
    tx: Tx;
    services: Needs;
    by: AuditContext;
    rows: readonly KeptRow[];
    aloneMinor?: bigint;
  },
): Promise<bigint> {
  const { tx, services, by, rows } = asked;
  const actorId = personOf(by).actor.id;
  const ids = rows.map(({ id }) => id);
  const known =
    ids.length === 0 ? undefined : await readKnown(tx, services, kept, { ids, acts: [act] });
  let aloneMinor = asked.aloneMinor ?? 0n;
  for (const row of rows) {
    const ofOwner = refusalByOwner(kept.thing, act, { actorId, row });
    if (ofOwner !== null) throw ofOwner;
    const facts = known?.get(row.id);
    if (facts === undefined) continue;
    const together = { ...facts, amountMinor: facts.amountMinor + aloneMinor };
    const refusal = refusalByFacts(kept, act, { actorId: () => actorId, row, known: together });
    if (refusal !== null) throw refusal;
    const alone = aloneIn(kept.thing, act, { actorId, row, known: facts });
    if (alone !== null && alone.limits.length > 0) aloneMinor += facts.amountMinor;
  }
  return aloneMinor;
}

/** Limits of what administrators do alone, to which the amount of an act counts. */
export interface Alone {
  readonly settings: CompanySettings;
  readonly amountMinor: bigint;
  readonly limits: readonly AmountLimit[];
}

function aloneIn<T extends Thing, Facts extends object>(
  thing: T,
  act: ActOf<T>,
  { actorId, row, known }: { actorId: string; row: KeptRow; known: Known<Facts> },
): Alone | null {
  const { duties, settings, amountMinor } = known;
  if (duties === null) return null;
  const limits = separationsOf(thing, act).flatMap(({ rule, after, unlessDone }): AmountLimit[] => {
    const name = SUMMED_DUTIES.find((duty) => duty === rule);
    if (name === undefined || !isInForce(duties, name)) return [];
    const doneBy = after.map((step) => known.doneBy.get(step) ?? null);
    if (!isAlone(duties, actorId, { doneBy, ...(unlessDone && { unlessDone }) })) return [];
    const subjectId = isByPerson(rule) ? row.userId : null;
    return [{ name, subjectId, belowMinor: thresholdOf(settings, name) ?? 0n }];
  });
  const byName = new Map(limits.map((limit) => [limit.name, limit]));
  return limits.length === 0 ? null : { settings, amountMinor, limits: [...byName.values()] };
}

/** The amount that a rule compares with its threshold, in minor units. */
function countedWith<Facts extends object>(
  { amountMinor, aloneForOwnerMinor }: Known<Facts>,
  rule: Separation['rule'],
): bigint {
  return isByPerson(rule) ? amountMinor + aloneForOwnerMinor : amountMinor;
}

/** The refusal of an act that the status of a row allows. */
export function refusalNow<
  T extends Thing,
  Legal extends KeptRow,
  Needs extends Clocked,
  Facts extends object,
>(
  kept: Guarded<T, Needs, Facts, Legal>,
  act: ActOf<T>,
  actorId: string,
  { row, facts }: { row: Legal; facts: Known<Facts> | undefined },
): AppError | null {
  return (
    refusalByOwner(kept.thing, act, { actorId, row }) ??
    kept.rowGuards?.[act]?.(row) ??
    (facts === undefined
      ? null
      : refusalByFacts(kept, act, { actorId: () => actorId, row, known: facts }))
  );
}

/**
 * The refusal of the second of two steps while the first one is needed, and of the first one while it is not. Reads do
 * not offer what it refuses.
 */
export function refusalOfStep<T extends Thing, Facts extends object>(
  thing: T,
  act: ActOf<T>,
  known: Known<Facts>,
): AppError | null {
  const { duties, doneBy } = known;
  const { firstOf } = specOf(thing, act);
  const isMissing = ({ rule, after, unlessDone }: Separation) =>
    unlessDone !== undefined &&
    duties !== null &&
    takesTwo(duties, rule, countedWith(known, rule)) &&
    after.every((step) => (doneBy.get(step) ?? null) === null);
  const missing = separationsAbout(thing, act).find(isMissing);
  if (firstOf !== undefined) return missing === undefined ? new AppError(firstOf.unneeded) : null;
  return missing?.unlessDone === undefined ? null : new AppError(missing.unlessDone);
}

export type Legality<T extends Thing, Legal extends KeptRow> = Pick<
  Kept<T, never, never, never, Legal>,
  'thing' | 'isLegal'
>;

export function isLegal<T extends Thing, Legal extends KeptRow>(
  { thing, isLegal: conditions }: Legality<T, Legal>,
  act: ActOf<T>,
  row: Legal,
): boolean {
  const from: readonly string[] = specOf(thing, act).from;
  return from.includes(row.status) && conditions?.[act]?.(row) !== false;
}

/** Nobody acts as the owner of another's thing, and nobody decides on their own. */
function refusalByOwner<T extends Thing>(
  thing: T,
  act: ActOf<T>,
  { actorId, row }: { actorId: string | null; row: KeptRow },
): AppError | null {
  const { by } = specOf(thing, act);
  const isOwn = actorId === row.userId;
  if (by === 'owner' && !isOwn) return new AppError(thing.refusals.notFound);
  return by === 'admin' && isOwn ? new AppError(thing.refusals.own ?? 'own_request') : null;
}

export type Guarded<
  T extends Thing,
  Needs extends Clocked,
  Facts extends object,
  Legal extends KeptRow = never,
> = Pick<Kept<T, never, Needs, Facts, Legal>, 'thing' | 'guards' | 'rowGuards'>;

function refusalByFacts<T extends Thing, Needs extends Clocked, Facts extends object>(
  kept: Guarded<T, Needs, Facts>,
  act: ActOf<T>,
  { actorId, row, known }: { actorId: () => string; row: KeptRow; known: Known<Facts> },
): AppError | null {
  const special =
    kept.guards?.[act]?.({ ...known, actorId }) ?? refusalOfStep(kept.thing, act, known);
  if (special !== null) return special;
  const { duties, doneBy, settings } = known;
  if (duties === null) return null;
  for (const separation of separationsOf(kept.thing, act)) {
    const step = {
      amountMinor: countedWith(known, separation.rule),
      doneBy: separation.after.map((earlier) => doneBy.get(earlier) ?? null),
      notBy: row.userId,
    };
    const refusal = refusalOf(duties, actorId(), separation, step);
    if (refusal !== null) return secondPersonNeeded(refusal, settings.timeZone);
  }
  return null;
}
