import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { readDuties, thresholdOf } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { amountSql, doneBySql, separationsOf } from './first-steps.ts';
import type { Kept, KeptRow, Question } from './kept.ts';

/** Everything by which acts on a row are refused, apart from its owner and its status. */
export interface Known<Facts extends object> extends Question<Facts> {
  /** Null where no separation of duties is about the row. */
  readonly duties: Duties | null;
  readonly amountMinor: bigint;
  /** Ids of the people who did the earlier acts, by the names of the acts. */
  readonly doneBy: ReadonlyMap<string, string | null>;
}

/** Columns by which acts are refused, about a row `request`, and the earlier acts that some of them are about. */
interface FactColumns {
  readonly columns: readonly RawBuilder<unknown>[];
  readonly steps: readonly string[];
}

/** Row with the columns of `factColumns`. */
type Values = { id: string } & Readonly<Record<string, unknown>>;

type Clocked = Pick<Services, 'clock'>;

export function needsFacts<T extends Thing, Needs extends Clocked, Facts extends object>(
  { thing, guards }: Pick<Kept<T, KeptRow, Needs, Facts>, 'thing' | 'guards'>,
  act: ActOf<T>,
  settings: CompanySettings,
): boolean {
  return guards?.[act] !== undefined || separationsInForce(thing, act, settings).length > 0;
}

/** The separations of an act without those that the company has switched off. */
function separationsInForce<T extends Thing>(thing: T, act: ActOf<T>, settings: CompanySettings) {
  return separationsOf(thing, act).filter(
    ({ rule }) => rule === 'always' || thresholdOf(settings, rule) !== null,
  );
}

/** The columns by which these acts are refused; those of separations that are switched off are left out. */
export function factColumns<T extends Thing, Needs extends Clocked, Facts extends object>(
  {
    thing,
    guards,
    guardFacts,
  }: Pick<Kept<T, KeptRow, Needs, Facts>, 'thing' | 'guards' | 'guardFacts'>,
  acts: readonly ActOf<T>[],
  settings: CompanySettings,
): FactColumns {
  const separations = acts.flatMap((act) => separationsInForce(thing, act, settings));
  const steps = [...new Set(separations.flatMap(({ after }) => after))];
  const isGuarded = acts.some((act) => guards?.[act] !== undefined);
  const hasAmount = separations.some(({ rule }) => rule !== 'always');
  const columns = {
    ...(isGuarded && guardFacts),
    ...Object.fromEntries(steps.map((step, index) => [`step${index}`, doneBySql(step)])),
    ...(hasAmount && { amountMinor: amountSql(thing) }),
  };
  return {
    // A prefix keeps them apart from the columns of a list's row.
    columns: Object.entries<RawBuilder<unknown>>(columns).map(
      ([name, column]) => sql`${column} AS ${sql.ref(PREFIX + name)}`,
    ),
    steps,
  };
}

const PREFIX = 'fact_';

/**
 * Everything by which acts on rows are refused, from rows that have the columns. Reads the rules of two people where
 * somebody did an earlier act on one of them.
 */
export async function knownOf<Facts extends object>(
  reader: Reader,
  { clock, settings }: Clocked & { settings: CompanySettings },
  { steps }: FactColumns,
  rows: readonly Values[],
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const read = rows.map(({ id, ...columns }) => {
    const facts = Object.fromEntries(
      Object.entries(columns).flatMap(([name, value]) =>
        name.startsWith('fact') ? [[uncapitalized(name.slice('fact'.length)), value]] : [],
      ),
    );
    const doneBy = new Map(
      steps.map((step, index) => [step, facts[`step${index}`] as string | null] as const),
    );
    return { id, facts, doneBy };
  });
  const isSeparated = read.some(({ doneBy }) => [...doneBy.values()].some((who) => who !== null));
  const duties = isSeparated ? await readDuties(reader) : null;
  const now = clock.now();
  return new Map(
    read.map(({ id, facts, doneBy }) => [
      id,
      {
        known: facts as Facts,
        amountMinor: (facts['amountMinor'] as bigint | undefined) ?? 0n,
        ...{ doneBy, settings, duties, now },
      },
    ]),
  );
}

/**
 * Reads everything by which acts on several rows are refused, in one statement for all rows. Reads nothing for acts
 * that have neither guards nor separations.
 *
 * @returns what is known of a row that needs something read, by its id
 */
export async function readKnown<T extends Thing, Needs extends Clocked, Facts extends object>(
  reader: Reader,
  { clock }: Needs,
  kept: Pick<Kept<T, KeptRow, Needs, Facts>, 'thing' | 'table' | 'guards' | 'guardFacts'>,
  asked: readonly { id: string; acts: readonly ActOf<T>[] }[],
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const mayNeed = (act: ActOf<T>) =>
    kept.guards?.[act] !== undefined || separationsOf(kept.thing, act).length > 0;
  if (!asked.some(({ acts }) => acts.some(mayNeed))) return new Map();
  const settings = await readSettings(reader);
  const needy = asked.filter(({ acts }) => acts.some((act) => needsFacts(kept, act, settings)));
  if (needy.length === 0) return new Map();
  const facts = factColumns(kept, [...new Set(needy.flatMap(({ acts }) => acts))], settings);
  const rows =
    facts.columns.length === 0
      ? needy.map(({ id }) => ({ id }))
      : await readColumns(reader, kept.table, needy, facts);
  return knownOf(reader, { clock, settings }, facts, rows);
}

async function readColumns(
  reader: Reader,
  table: string,
  asked: readonly { id: string }[],
  { columns }: FactColumns,
): Promise<readonly Values[]> {
  const ids = asked.map(({ id }) => id);
  const { rows } = await sql<Values>`select ${prepared} request.id, ${sql.join(columns)}
      FROM ${sql.table(table)} AS request WHERE request.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

function uncapitalized(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
