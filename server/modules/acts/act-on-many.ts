import { sql } from 'kysely';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { InvariantError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { journalAct, movedBy } from './act.ts';
import type { ActInput, Kept, KeptRow } from './kept.ts';
import { refuseMany } from './refuse.ts';

/**
 * Does one act of many things, as `act` does it of one, in a number of statements that does not depend on how many
 * there are. All of it or, where one is refused, nothing.
 *
 * @param given.ids each of them once
 * @throws {AppError} the thing's `notFound`, `own_request`, and the refusal of a status
 */
export async function actOnMany<
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
  { ids, ...input }: Omit<ActInput, 'id' | 'reason'> & { readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  const effectOf = kept.effectsOfMany?.[name];
  if (kept.lockAll === undefined || effectOf === undefined) {
    throw new InvariantError(`${name} is no act of many`);
  }
  const rows = await kept.lockAll(tx, ids);
  await refuseMany(kept, name, { tx, by, rows, expected: ids.length });
  const at = services.clock.now();
  const effects = await effectOf({ tx, services, by, rows, at, input });
  const { to } = specOf(kept.thing, name);
  const columns = Object.keys(effects[0]?.set ?? {});
  const changed = rows.map(({ id }, index) => ({ id, ...effects[index]?.set }));
  const common = { ...(to !== undefined && { status: to, ...movedBy(by, at) }), updatedAt: at };
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(kept.table)} AS thing
       SET ${sql.join([
         ...columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`),
         ...Object.entries(common).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
       ])}
      FROM json_populate_recordset(NULL::${sql.table(kept.table)}, ${asRecords(changed)}::json) AS changed
     WHERE thing.id = changed.id`.execute(tx);
  if (numAffectedRows !== BigInt(rows.length)) {
    throw new InvariantError(`${name} changed ${numAffectedRows} of ${rows.length}`);
  }
  for (const [index, row] of rows.entries()) {
    journalAct(tx, by, kept, name, { row, at, effect: effects[index] ?? {}, input });
  }
}

/** Rows as JSON under the names of their columns: `settlementId` is `settlement_id`. */
function asRecords(rows: readonly object[]): string {
  return JSON.stringify(rows.map(toRecord));
}

function toRecord(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}
