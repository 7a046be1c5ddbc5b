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
import { amountSql, doneBySql, separationsAbout } from './first-steps.ts';
import type { Kept, KeptRow, Question } from './kept.ts';
import { unwrittenSteps } from './recorded.ts';

/** Everything by which acts on a row are refused, apart from its owner and its status. */
export interface Known<Facts extends object> extends Omit<Question<Facts>, 'actorId'> {
  /** Null where no separation of duties is about the row. */
  readonly duties: Duties | null;
  readonly amountMinor: bigint;
  /** Ids of the people who did the earlier acts, by the names of the acts. */
  readonly doneBy: ReadonlyMap<string, string | null>;
}

/** SQL of the facts by which acts are refused, about a row `request`: those of guards, of earlier acts, the amount. */
export interface FactColumns {
  readonly columns: readonly RawBuilder<unknown>[];
  readonly joins: RawBuilder<unknown>;
  /** Names of the guards' facts, which come first. */
  readonly names: readonly string[];
  /** Names of the earlier acts, which come next. */
  readonly steps: readonly string[];
  /** True if an earlier act is needed, so that the rules decide also while nobody did it. */
  readonly hasFirstStep: boolean;
}

/** Row with the columns of `factColumns`, by their index. */
type Values = { id: string } & Readonly<Record<string, unknown>>;

type Clocked = Pick<Services, 'clock'>;
type Guarded<T extends Thing, Needs extends Clocked, Facts extends object> = Pick<
  Kept<T, KeptRow, Needs, Facts>,
  'thing' | 'table' | 'guards' | 'guardFacts'
>;

/** True if an act is refused by settings or by facts, unless the settings switch that off. */
export function isGuarded<T extends Thing, Needs extends Clocked, Facts extends object>(
  { thing, guards }: Guarded<T, Needs, Facts>,
  act: ActOf<T>,
): boolean {
  return guards?.[act] !== undefined || separationsAbout(thing, act).length > 0;
}

export function needsFacts<T extends Thing, Needs extends Clocked, Facts extends object>(
  { thing, guards }: Guarded<T, Needs, Facts>,
  act: ActOf<T>,
  settings: CompanySettings,
): boolean {
  return guards?.[act] !== undefined || separationsInForce(thing, act, settings).length > 0;
}

/** The separations of an act without those that the company has switched off. */
function separationsInForce<T extends Thing>(thing: T, act: ActOf<T>, settings: CompanySettings) {
  return separationsAbout(thing, act).filter(
    ({ rule }) => rule === 'always' || thresholdOf(settings, rule) !== null,
  );
}

/** The facts by which these acts are refused; those of separations that are switched off are left out. */
export function factColumns<T extends Thing, Needs extends Clocked, Facts extends object>(
  { thing, guards, guardFacts }: Guarded<T, Needs, Facts>,
  acts: readonly ActOf<T>[],
  settings: CompanySettings,
): FactColumns {
  const ofGuards = acts.some((act) => guards?.[act] !== undefined) ? guardFacts : undefined;
  const facts: Readonly<Record<string, RawBuilder<unknown>>> = ofGuards?.columns ?? {};
  const separations = acts.flatMap((act) => separationsInForce(thing, act, settings));
  const steps = [...new Set(separations.flatMap(({ after }) => after))];
  const hasAmount = separations.some(({ rule }) => rule !== 'always');
  const columns = [
    ...Object.values(facts),
    ...steps.map(doneBySql),
    ...(hasAmount ? [amountSql(thing)] : []),
  ];
  return {
    columns: columns.map((column, index) => sql`${column} AS ${sql.ref(nameOf(index))}`),
    joins: ofGuards?.joins ?? sql``,
    names: Object.keys(facts),
    steps,
    hasFirstStep: separations.some(({ unlessDone }) => unlessDone !== undefined),
  };
}

/** Name of a column, which keeps it apart from those of a list's row. */
function nameOf(index: number): string {
  return `fact${index}`;
}

/**
 * Everything by which acts on rows are refused, from rows that have the columns. Reads the rules of two people where
 * somebody did an earlier act on one of them, or where they need one.
 *
 * @param done the acts that the transaction did on a row and that its COMMIT will record, with who did them
 */
export async function knownOf<Facts extends object>(
  reader: Reader,
  { clock, settings }: Clocked & { settings: CompanySettings },
  { names, steps, hasFirstStep }: FactColumns,
  rows: readonly Values[],
  done?: ReadonlyMap<string, string | null>,
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const now = clock.now();
  const stepsOf = (row: Values) =>
    steps.map((step, index) => {
      const who = row[nameOf(names.length + index)] as string | null;
      return [step, who ?? done?.get(step) ?? null] as const;
    });
  const isSeparated =
    (hasFirstStep && rows.length > 0) ||
    rows.some((row) => stepsOf(row).some(([, who]) => who !== null));
  const duties = isSeparated ? await readDuties(reader, settings) : null;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        known: Object.fromEntries(
          names.map((name, index) => [name, row[nameOf(index)]]),
        ) as unknown as Facts,
        doneBy: new Map(stepsOf(row)),
        amountMinor: (row[nameOf(names.length + steps.length)] as bigint | undefined) ?? 0n,
        ...{ settings, duties, now },
      },
    ]),
  );
}

/**
 * Reads everything by which an act on a row is refused. Reads nothing for an act that has neither guards nor
 * separations.
 *
 * @returns undefined if nothing refuses it
 */
export async function readKnown<T extends Thing, Needs extends Clocked, Facts extends object>(
  reader: Reader,
  { clock }: Needs,
  kept: Guarded<T, Needs, Facts>,
  { id, acts }: { id: string; acts: readonly ActOf<T>[] },
): Promise<Known<Facts> | undefined> {
  if (!acts.some((act) => isGuarded(kept, act))) return undefined;
  const settings = await readSettings(reader);
  const needy = acts.filter((act) => needsFacts(kept, act, settings));
  if (needy.length === 0) return undefined;
  const facts = factColumns(kept, needy, settings);
  const rows =
    facts.columns.length === 0 ? [{ id }] : await readColumns(reader, kept.table, id, facts);
  const done = unwrittenSteps(reader, kept.thing, id);
  return (await knownOf<Facts>(reader, { clock, settings }, facts, rows, done)).get(id);
}

async function readColumns(
  reader: Reader,
  table: string,
  id: string,
  { columns, joins }: FactColumns,
): Promise<readonly Values[]> {
  const { rows } = await sql<Values>`select ${prepared} request.id, ${sql.join(columns)}
      FROM ${sql.table(table)} AS request ${joins} WHERE request.id = ${id}`.execute(reader);
  return rows;
}
