import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import { readDuties, thresholdOf } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { doneBySql, separationsOf } from './first-steps.ts';
import type { Kept, KeptRow, Question } from './kept.ts';

/** Everything by which acts on a row are refused, apart from its owner and its status. */
export interface Known<Facts extends object> extends Question<Facts> {
  /** Null where no separation of duties is about the row. */
  readonly duties: Duties | null;
  readonly amountMinor: bigint;
  /** Who did the earlier acts, by their names. */
  readonly doneBy: ReadonlyMap<string, string | null>;
}

type Values = { id: string; amountMinor?: bigint } & Readonly<Record<string, unknown>>;

/**
 * Reads what acts on several rows are refused by, in one statement for all rows; the rules of two people are
 * read once, where they can be about one of the rows. Reads nothing for acts that have neither guards nor
 * separations.
 *
 * @returns what is known of a row that needs something read, by its id
 */
export async function readKnown<
  T extends Thing,
  Row extends KeptRow,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
>(
  reader: Reader,
  { clock }: Needs,
  kept: Kept<T, Row, Needs, Facts>,
  asked: readonly { id: string; acts: readonly ActOf<T>[] }[],
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const needsFacts = (act: ActOf<T>) =>
    kept.guards?.[act] !== undefined || separationsOf(kept.thing, act).length > 0;
  const needy = asked.filter(({ acts }) => acts.some(needsFacts));
  if (needy.length === 0) return new Map();
  const settings = await readSettings(reader);
  const acts = [...new Set(needy.flatMap((one) => one.acts))];
  const separations = acts
    .flatMap((act) => separationsOf(kept.thing, act))
    .filter(({ rule }) => isPossible(settings, rule));
  const steps = [...new Set(separations.flatMap(({ after }) => after))];
  const isGuarded = acts.some((act) => kept.guards?.[act] !== undefined);
  const hasAmount = separations.some(({ rule }) => rule !== 'always');
  const columns: readonly RawBuilder<unknown>[] = [
    ...(isGuarded ? named(kept.guardFacts ?? {}) : []),
    ...named(Object.fromEntries(steps.map((step, index) => [`step${index}`, doneBySql(step)]))),
    ...(hasAmount ? [sql`request.amount_minor`] : []),
  ];
  const rows = columns.length === 0 ? needy : await readColumns(reader, kept, needy, columns);
  const stepsOf = (row: Values) =>
    steps.map((step, index) => [step, row[`step${index}`] as string | null] as const);
  const isSeparated = (rows as readonly Values[]).some((row) =>
    stepsOf(row).some(([, doneBy]) => doneBy !== null),
  );
  const duties = isSeparated ? await readDuties(reader) : null;
  const now = clock.now();
  return new Map(
    (rows as readonly Values[]).map((row) => [
      row.id,
      {
        known: row as unknown as Facts,
        amountMinor: row.amountMinor ?? 0n,
        doneBy: new Map(stepsOf(row)),
        ...{ settings, duties, now },
      },
    ]),
  );
}

async function readColumns(
  reader: Reader,
  { table }: { table: string },
  asked: readonly { id: string }[],
  columns: readonly RawBuilder<unknown>[],
): Promise<readonly Values[]> {
  const ids = asked.map(({ id }) => id);
  const { rows } = await sql<Values>`
    SELECT request.id, ${sql.join(columns)} FROM ${sql.table(table)} AS request
     WHERE request.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

/** False for a separation that the company has switched off. */
function isPossible(
  settings: CompanySettings,
  rule: ReturnType<typeof separationsOf>[number]['rule'],
): boolean {
  return rule === 'always' || thresholdOf(settings, rule) !== null;
}

function named(columns: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown>[] {
  return Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.ref(name)}`);
}
