import { personalActs, specOf } from '#contract/things/thing.ts';
import type { ActOf, PersonalAct, Thing } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import type { AppError } from '#server/lib/errors.ts';
import { invariant } from '#server/lib/errors.ts';
import { readKnown } from './guard-facts.ts';
import type { Known } from './guard-facts.ts';
import type { Kept, KeptRow } from './kept.ts';
import { isLegal, refusalNow, refusalOfStep } from './refuse.ts';
import type { Clocked, Guarded, Legality } from './refuse.ts';

/** An act of the reader that is legal in the status of a thing. */
export interface OfferedAct<T extends Thing> {
  act: PersonalAct<T>;
  /** The sentence with which the command would refuse it now; null if it would not. */
  refusal: string | null;
}

/** The reader of things, as one of the administrators or as their owner. */
export interface ActsReader {
  readonly actor: Pick<Actor, 'id' | 'apiKey'>;
  readonly as: 'admin' | 'owner';
}

interface Asked<T extends Thing, Row> {
  readonly row: Row;
  readonly acts: readonly PersonalAct<T>[];
}

/** The acts of a reader, whatever the status. */
export function actsOfReader<T extends Thing>(
  thing: T,
  { actor, as }: ActsReader,
): PersonalAct<T>[] {
  if (actor.apiKey !== undefined) return [];
  return personalActs(thing).filter((act) => {
    const { by } = specOf(thing, act);
    return by === as || (by === 'anyAdmin' && as === 'admin');
  });
}

/** The acts of a reader that each row allows, by its status and its other columns. */
export function legalActs<T extends Thing, Legal extends KeptRow, Row extends Legal>(
  kept: Legality<T, Legal>,
  who: ActsReader,
  rows: readonly Row[],
): Asked<T, Row>[] {
  const theirs = actsOfReader(kept.thing, who);
  return rows.map((row) => ({
    row,
    acts: theirs.filter((act) => isLegal(kept, act, row)),
  }));
}

/** Adds the acts to their rows, each with its refusal. */
export function offersOf<
  T extends Thing,
  Legal extends KeptRow,
  Needs extends Clocked,
  Facts extends object,
  Row extends Legal,
>(
  kept: Guarded<T, Needs, Facts, Legal>,
  who: ActsReader,
  asked: readonly Asked<T, Row>[],
  known: ReadonlyMap<string, Known<Facts>>,
): (Row & { acts: OfferedAct<T>[] })[] {
  return asked.map(({ row, acts: legal }) => {
    const facts = known.get(row.id);
    return { ...row, acts: legal.flatMap((act) => offerOf(kept, who, act, { row, facts }) ?? []) };
  });
}

/** The offer of an act that a row allows, with its refusal; null if another act is the next step. */
export function offerOf<
  T extends Thing,
  Legal extends KeptRow,
  Needs extends Clocked,
  Facts extends object,
>(
  kept: Guarded<T, Needs, Facts, Legal>,
  { actor }: ActsReader,
  act: PersonalAct<T>,
  { row, facts }: { row: Legal; facts: Known<Facts> | undefined },
): OfferedAct<T> | null {
  const isNext =
    facts === undefined
      ? specOf(kept.thing, act).firstOf === undefined
      : refusalOfStep(kept.thing, act, facts) === null;
  if (!isNext) return null;
  return { act, refusal: refusalNow(kept, act, actor.id, { row, facts })?.message ?? null };
}

/**
 * The refusals of an act that is offered elsewhere than at its thing, by the ids of the rows, whose statuses allow it. A row
 * has none where the act would be done.
 */
export async function refusalsOf<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(
  reader: Reader,
  services: Needs,
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  act: ActOf<T>,
  { actorId, rows }: { actorId: string; rows: readonly Legal[] },
): Promise<ReadonlyMap<string, AppError>> {
  const ids = rows.map(({ id }) => id);
  const known = await readKnown(reader, services, kept, { ids, acts: [act] });
  return new Map(
    rows.flatMap((row) => {
      const refusal = refusalNow(kept, act, actorId, { row, facts: known?.get(row.id) });
      return refusal === null ? [] : [[row.id, refusal]];
    }),
  );
}

/** Adds the acts of its reader to a row, as `withActs` does to the rows of a query. */
export async function withItsActs<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Clocked,
  Facts extends object,
  Row extends Legal,
>(
  reader: Reader,
  services: Needs,
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  who: ActsReader,
  row: Row,
): Promise<Row & { acts: OfferedAct<T>[] }> {
  const { id } = row;
  const asked = legalActs(kept, who, [row]);
  const acts = asked.flatMap((one) => one.acts);
  const known = await readKnown(reader, services, kept, { ids: [id], acts });
  const [shown] = offersOf(kept, who, asked, known ?? new Map());
  return invariant(shown, id);
}

/** The refusal of the act that takes a thing on; null where the reader may do it, or where none is left. */
export function refusalOfNextStep<T extends Thing>(
  thing: T,
  acts: readonly OfferedAct<T>[],
): string | null {
  const takesOn = ({ act }: OfferedAct<T>) => {
    const kind = specOf(thing, act).offer?.kind;
    return kind === 'money' || kind === 'solid';
  };
  return acts.find(takesOn)?.refusal ?? null;
}
