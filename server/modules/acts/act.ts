import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import { countAmount, usedFacts } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import type { ActInput, Effect, Kept, KeptRow } from './kept.ts';
import { refuse } from './refuse.ts';
import type { Alone } from './refuse.ts';

/**
 * Does one act of a thing, by its declaration: locks the thing, refuses what is not allowed, does what is special
 * about the act, changes the status, and records all of it. Nothing else changes a status.
 *
 * @throws {AppError} `reason_required`, the thing's `notFound`, and as `refuse` and the act's own effect
 */
export async function act<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
>(
  tx: Tx,
  services: Needs,
  by: AuditContext,
  kept: Kept<T, Row, Needs, Facts, Legal>,
  name: ActOf<T>,
  given: ActInput,
): Promise<void> {
  const { thing } = kept;
  if (kept.effectsOfMany?.[name] !== undefined) {
    throw new InvariantError(`${name} is done by actOnMany`);
  }
  const { to, offer, by: who } = specOf(thing, name);
  const ownerId = who === 'owner' && typeof by.actor === 'object' ? by.actor.id : undefined;
  const input = offer?.reason === undefined ? given : { ...given, reason: readReason(given) };
  const row = await kept.lock(tx, input.id, name, ownerId);
  if (row === undefined) throw new AppError(thing.refusals.notFound);
  const refused = () => refuse(kept, name, { tx, services, by, row });
  const used = await countAlone(tx, await refused(), refused);
  const at = services.clock.now();
  const doing = { tx, services, by, row, at, input };
  const effect = (await kept.effects?.[name]?.(doing)) ?? {};
  await tx
    // One of the tables of things: all of them have these columns.
    .updateTable(kept.table as 'withdrawal')
    .set({
      ...reasonOf(kept, input),
      ...effect.set,
      ...(to !== undefined && {
        status: to as never,
        ...(kept.hasNoLastAct !== true && movedBy(by, at)),
      }),
      updatedAt: at,
    })
    .where('id', '=', row.id)
    .execute();
  await kept.followedBy?.[name]?.(doing);
  journalAct(tx, by, kept, name, {
    row,
    at,
    effect,
    input: { ...input, details: { ...input.details, ...used } },
  });
}

/** Records an act that was done to a locked row. */
export function journalAct<T extends Thing, Row extends KeptRow>(
  tx: Tx,
  by: AuditContext,
  {
    thing,
    facts,
    words,
    relatedId,
  }: Pick<Kept<T, Row, never>, 'thing' | 'facts' | 'words' | 'relatedId'>,
  name: ActOf<T>,
  { row, at, effect, input }: { row: Row; at: Date; effect: Effect; input: Omit<ActInput, 'id'> },
): void {
  journal(tx, by, thing, name, {
    id: row.id,
    userId: row.userId,
    ...(relatedId !== undefined && { relatedId: relatedId(row) }),
    at,
    details: {
      ...facts(row),
      from: row.status,
      ...(effect.transactionId !== undefined && { transactionId: effect.transactionId }),
      ...effect.details,
      ...input.details,
    },
    words: {
      ...words(row),
      ...(input.reason !== undefined && { reason: input.reason }),
      ...effect.words,
    },
  });
}

/**
 * Counts the amount of an act to what administrators did alone.
 *
 * @param refuseAgain refuses it where another act was faster and used the rest of a limit
 */
export async function countAlone(
  tx: Tx,
  alone: Alone | null,
  refuseAgain: () => Promise<unknown>,
): Promise<AuditDetails> {
  if (alone === null) return {};
  const { settings, amountMinor, limits } = alone;
  const counted = await countAmount(tx, settings, amountMinor, limits);
  if (counted.size === limits.length) return usedFacts(amountMinor, counted);
  await refuseAgain();
  throw new AppError('conflict');
}

/** Column that keeps the reason of an act; none where it has none. */
export function reasonOf(
  { reasonColumn = 'rejectionReason' }: Pick<Kept, 'reasonColumn'>,
  { reason }: Pick<ActInput, 'reason'>,
): Readonly<Record<string, string>> {
  return reason === undefined ? {} : { [reasonColumn]: reason };
}

/** Columns that keep when a row came to its status, and the person who did it; null for Purser. */
export function movedBy({ actor }: AuditContext, at: Date) {
  return { movedAt: at, movedBy: typeof actor === 'object' ? actor.id : null };
}

/** The reason of an act that needs one, without blanks around it. @throws {AppError} `reason_required` */
function readReason({ reason = '' }: ActInput): string {
  const trimmed = reason.trim();
  if (trimmed === '') throw new AppError('reason_required');
  return trimmed;
}
