import { sql } from 'kysely';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { InvariantError } from '#server/lib/errors.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { countAlone, journalAct, movedBy, reasonOf } from './act.ts';
import type { InputOfMany, Kept, KeptRow } from './kept.ts';
import { refuse, refuseMany } from './refuse.ts';

/**
 * Does one act of many things, as `act` does it of one, in a number of statements that does not depend on how many
 * there are. All of it or, where one is refused, nothing.
 *
 * @param given.ids each of them once
 * @param given.inputs further input by the ids, where each has its own
 * @throws {AppError} the thing's `notFound`, and as `refuse` and the act's own effect
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
  { ids, inputs, ...input }: ManyInput,
): Promise<void> {
  if (ids.length === 0) return;
  const effectOf = kept.effectsOfMany?.[name];
  if (kept.lockAll === undefined || effectOf === undefined) {
    throw new InvariantError(`${name} is no act of many`);
  }
  const rows = await kept.lockAll(tx, ids);
  const alone = await refuseMany(kept, name, { tx, services, by, rows, expected: ids.length });
  const used = new Map<string, AuditDetails>();
  for (const row of rows) {
    const refused = () => refuse(kept, name, { tx, services, by, row });
    // oxlint-disable-next-line no-await-in-loop -- each counts on top of those before it
    used.set(row.id, await countAlone(tx, alone.get(row.id) ?? null, refused));
  }
  const at = services.clock.now();
  const inputOf = ({ id }: KeptRow) => ({ ...input, ...inputs?.get(id) });
  const doing = { tx, services, by, rows, at, input, inputOf };
  const effects = await effectOf(doing);
  const { to } = specOf(kept.thing, name);
  const changed = rows.map((row, index) => ({
    id: row.id,
    ...reasonOf(kept, inputOf(row)),
    ...effects[index]?.set,
  }));
  const columns = Object.keys(changed[0] ?? {}).filter((column) => column !== 'id');
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
  await kept.followedByMany?.[name]?.(doing);
  for (const [index, row] of rows.entries()) {
    const given = inputOf(row);
    const details = { ...given.details, ...used.get(row.id) };
    const effect = effects[index] ?? {};
    journalAct(tx, by, kept, name, { row, at, effect, input: { ...given, details } });
  }
}

interface ManyInput extends InputOfMany {
  readonly ids: readonly string[];
  readonly inputs?: ReadonlyMap<string, InputOfMany>;
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
