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
import {
  aloneForOwner,
  amountSql,
  doneBySql,
  isByPerson,
  separationsAbout,
} from './first-steps.ts';
import type { Kept, KeptRow, Question } from './kept.ts';
import { unwrittenSteps } from './recorded.ts';

/** Everything by which acts on a row are refused, apart from its owner and its status. */
export interface Known<Facts extends object> extends Omit<Question<Facts>, 'actorId'> {
  /** Null where no separation of duties is about the row. */
  readonly duties: Duties | null;
  readonly amountMinor: bigint;
  /** Sum of what administrators did alone for its owner in this month of the company, in minor units. */
  readonly aloneForOwnerMinor: bigint;
  /** Ids of the people who did the earlier acts, by the names of the acts. */
  readonly doneBy: ReadonlyMap<string, string | null>;
}

/** Earlier acts by which acts are refused, without those of separations that are switched off. */
export interface EarlierSteps {
  readonly names: readonly string[];
  /** SQL of one array about a row `request`: who did each of them, the amount, and the sum of its owner; null if there are none. */
  readonly sql: string | null;
  /** True if an earlier act is needed, so that the rules decide also while nobody did it. */
  readonly hasFirstStep: boolean;
}

/** Facts about a row: those of guards, and the array of `EarlierSteps`. */
export interface Found<Facts extends object> {
  readonly id: string;
  readonly known: Facts;
  readonly earlier?: readonly (string | null)[] | null | undefined;
}

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

export function earlierSteps<T extends Thing>(
  thing: T,
  acts: readonly ActOf<T>[],
  settings: CompanySettings,
): EarlierSteps {
  const separations = acts.flatMap((act) => separationsInForce(thing, act, settings));
  const names = [...new Set(separations.flatMap(({ after }) => after))];
  const hasAmount = separations.some(({ rule }) => rule !== 'always');
  const hasOwnersSum = separations.some(({ rule }) => isByPerson(rule));
  const parts = [
    ...names.map(doneBySql),
    hasAmount ? `${amountSql(thing)}::text` : 'NULL',
    hasOwnersSum ? `${aloneForOwner(settings)}::text` : 'NULL',
  ];
  return {
    names,
    sql: names.length === 0 ? null : `json_build_array(${parts.join(', ')})`,
    hasFirstStep: separations.some(({ unlessDone }) => unlessDone !== undefined),
  };
}

/**
 * Everything by which acts on rows are refused. Reads the rules of two people where somebody did an earlier act on one
 * of them, or where they need one.
 *
 * @param done reads the acts that the transaction did on a row and that its COMMIT will record, with who did them
 */
export async function knownOf<Facts extends object>(
  reader: Reader,
  { clock, settings }: Clocked & { settings: CompanySettings },
  { names, hasFirstStep }: EarlierSteps,
  rows: readonly Found<Facts>[],
  done?: (id: string) => ReadonlyMap<string, string | null>,
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const now = clock.now();
  const stepsOf = ({ id, earlier }: Found<Facts>) => {
    const inTransaction = names.length === 0 ? undefined : done?.(id);
    return names.map(
      (name, at) => [name, earlier?.[at] ?? inTransaction?.get(name) ?? null] as const,
    );
  };
  const isSeparated =
    (hasFirstStep && rows.length > 0) ||
    rows.some((row) => stepsOf(row).some(([, who]) => who !== null));
  const duties = isSeparated ? await readDuties(reader, settings) : null;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        known: row.known,
        doneBy: new Map(stepsOf(row)),
        amountMinor: BigInt(row.earlier?.at(-2) ?? 0),
        aloneForOwnerMinor: BigInt(row.earlier?.at(-1) ?? 0),
        ...{ settings, duties, now },
      },
    ]),
  );
}

/**
 * Reads everything by which acts on rows are refused. Reads nothing for acts that have neither guards nor separations.
 *
 * @returns by the ids of the rows; undefined if nothing refuses the acts
 */
export async function readKnown<T extends Thing, Needs extends Clocked, Facts extends object>(
  reader: Reader,
  { clock }: Needs,
  kept: Guarded<T, Needs, Facts>,
  { ids, acts }: { ids: readonly string[]; acts: readonly ActOf<T>[] },
): Promise<ReadonlyMap<string, Known<Facts>> | undefined> {
  if (!acts.some((act) => isGuarded(kept, act))) return undefined;
  const settings = await readSettings(reader);
  const needy = acts.filter((act) => needsFacts(kept, act, settings));
  if (needy.length === 0) return undefined;
  const steps = earlierSteps(kept.thing, needy, settings);
  const facts = needy.some((act) => kept.guards?.[act] !== undefined) ? kept.guardFacts : undefined;
  const ofGuards = Object.entries<RawBuilder<unknown>>(facts?.columns ?? {});
  const columns = [
    sql`request.id`,
    ...ofGuards.map(([name, column]) => sql`${column} AS ${sql.ref(name)}`),
    sql`${sql.raw(steps.sql ?? 'NULL')} AS earlier`,
  ];
  const { rows } = await sql<
    Facts & Omit<Found<Facts>, 'known'>
  >`select ${prepared} ${sql.join(columns)}
      FROM ${sql.table(kept.table)} AS request ${facts?.joins ?? sql``}
     WHERE request.id = ANY (${ids}::uuid[])`.execute(reader);
  const found = rows.map((row) => ({ ...row, known: row }));
  const done = (id: string) => unwrittenSteps(reader, kept.thing, id);
  return knownOf<Facts>(reader, { clock, settings }, steps, found, done);
}
