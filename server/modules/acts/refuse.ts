import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import type { Kept, KeptRow } from './kept.ts';

/**
 * Refuses an act on a locked thing, in one order for all things: whose it is, the status, and what is
 * special about it (may money leave, does it take a second person).
 *
 * @throws {AppError} the thing's `notFound` where another person acts as its owner; `own_request`; the
 *   refusal of its status, which tells admins who acted last; what its guard refuses
 */
export async function refuse<
  T extends Thing,
  Row extends KeptRow,
  Needs extends Pick<Services, 'clock'>,
>(
  kept: Kept<T, Row, Needs>,
  act: ActOf<T>,
  { tx, services, by, row }: { tx: Tx; services: Needs; by: AuditContext; row: Row },
): Promise<void> {
  const spec = specOf(kept.thing, act);
  if (spec.by === 'owner' && !isOwner(by, row)) throw new AppError(kept.thing.refusals.notFound);
  if (spec.by === 'admin' && typeof by.actor === 'object') {
    checkNotOwn({ actor: by.actor }, row.userId);
  }
  if (!(spec.from as readonly string[]).includes(row.status)) {
    throw await refusalOfStatus(tx, kept.thing, spec, row);
  }
  await kept.guards?.[act]?.({ tx, services, by, row, at: services.clock.now() });
}

function isOwner({ actor }: AuditContext, { userId }: KeptRow): boolean {
  return typeof actor === 'object' && actor.id === userId;
}

/** An employee is not shown which admin it was. */
async function refusalOfStatus(
  tx: Tx,
  { name, refusals }: Thing,
  { by, refusal }: ReturnType<typeof specOf>,
  { id, status }: KeptRow,
): Promise<AppError> {
  const known: Readonly<Partial<Record<string, (typeof refusals)['wrongStatus']>>> =
    refusals.in ?? {};
  const code = refusal ?? known[status] ?? refusals.wrongStatus;
  const lastAct = by === 'admin' ? await describeLastAct(tx, { type: name, id }) : {};
  return new AppError(code, { status, ...lastAct });
}
