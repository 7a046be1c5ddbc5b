import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ActOf, Separation, Thing } from '#contract/things/thing.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  mayBeSecond,
  onesWith,
  readDuties,
  thresholdInForce,
  thresholdOf,
} from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { Kept, KeptRow, Question } from './kept.ts';
import { lastTime, unwrittenSteps } from './recorded.ts';
import type { FirstStep } from '#contract/things/all.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { specOf } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';

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
    (names.length > 0 && rows.some((row) => stepsOf(row).some(([, who]) => who !== null)));
  const duties = isSeparated ? await readDuties(reader, settings) : null;
  const nobody = new Map<string, null>();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        known: row.known,
        doneBy: names.length === 0 ? nobody : new Map(stepsOf(row)),
        amountMinor: BigInt(row.earlier?.at(-2) ?? 0),
        aloneForOwnerMinor: BigInt(row.earlier?.at(-1) ?? 0),
        settings,
        duties,
        now,
      },
    ]),
  );
}

/** Most rows that are read by a plan that is kept. For more, planning takes little, and a plan of an empty table takes long. */
const MOST_PREPARED = 100;

/** Columns of rows with the SQL of each, about a row `request` of the table of a thing and the joins of its `guardFacts`. */
export type Columns<Row extends object> = { readonly [Name in keyof Row]: RawBuilder<Row[Name]> };

/**
 * Reads everything by which acts on rows are refused. Reads nothing for acts that have neither guards nor separations.
 *
 * @param asked.columns read with it, where many rows are: a statement of their own would read the rows and their joins again
 * @returns by the ids of the rows; undefined if nothing refuses the acts
 */
export async function readKnown<
  T extends Thing,
  Needs extends Clocked,
  Facts extends object,
  Row extends object = object,
>(
  reader: Reader,
  { clock }: Needs,
  kept: Guarded<T, Needs, Facts>,
  asked: { ids: readonly string[]; acts: readonly ActOf<T>[]; columns?: Columns<Row> },
): Promise<ReadonlyMap<string, Known<Facts & Row>> | undefined> {
  const { ids, acts } = asked;
  if (!acts.some((act) => isGuarded(kept, act))) return undefined;
  const settings = await readSettings(reader);
  const needy = acts.filter((act) => needsFacts(kept, act, settings));
  if (needy.length === 0) return undefined;
  const steps = earlierSteps(kept.thing, needy, settings);
  const facts = needy.some((act) => kept.guards?.[act] !== undefined) ? kept.guardFacts : undefined;
  const named = Object.entries<RawBuilder<unknown>>({ ...asked.columns, ...facts?.columns });
  const columns = [
    sql`request.id`,
    ...named.map(([name, column]) => sql`${column} AS ${sql.ref(name)}`),
    sql`${sql.raw(steps.sql ?? 'NULL')} AS earlier`,
  ];
  const { rows } = await sql<
    Facts & Row & Omit<Found<Facts>, 'known'>
  >`select ${ids.length > MOST_PREPARED ? sql`` : prepared} ${sql.join(columns)}
      FROM ${sql.table(kept.table)} AS request ${facts?.joins ?? sql``}
     WHERE request.id = ANY (${ids}::uuid[])`.execute(reader);
  const found = rows.map((row) => ({ id: row.id, earlier: row.earlier, known: row }));
  const done = (id: string) => unwrittenSteps(reader, kept.thing, id);
  return knownOf<Facts & Row>(reader, { clock, settings }, steps, found, done);
}

const returned = (table: string) => `
  SELECT moved_by, moved_at FROM ${table} AS returned
   WHERE returned.user_id = request.user_id
     AND returned.status = 'returned' AND returned.moved_at <= request.requested_at`;

/**
 * SQL of the person who did an earlier act, for a row `request` of the table of a thing; null where nobody did.
 * Commands, reads and the list of what waits all know it from here.
 */
const DONE_BY: Readonly<Record<FirstStep, string>> = {
  'bank_account.verify': `(
    SELECT moved_by FROM bank_account WHERE id = request.bank_account_id)`,
  'bank_account.enter': 'request.entered_by',
  'person.setEmail': '(SELECT email_set_by FROM app_user WHERE id = request.user_id)',
  // From whichever wallet: its owner moves money between their own.
  'payout.return': `(
    SELECT moved_by FROM (${returned('withdrawal')} UNION ALL ${returned('bill')}) AS payout
     ORDER BY moved_at DESC LIMIT 1)`,
  'withdrawal.requestForLeaver': `CASE WHEN request.requested_by IS NOT NULL THEN (
    SELECT request.requested_by FROM company_settings
     WHERE require_approved_identity AND NOT EXISTS (
       SELECT FROM kyc_application WHERE user_id = request.user_id AND status = 'approved')) END`,
  'deposit.confirm': lastTime(deposit, 'confirm', 'by'),
  'withdrawal.approve': lastTime(withdrawal, 'approve', 'by'),
  'withdrawal.complete': lastTime(withdrawal, 'complete', 'by'),
  'bill.send': lastTime(bill, 'send', 'by'),
  'bill.complete': lastTime(bill, 'complete', 'by'),
  'payroll_batch.send': 'request.created_by',
  // Saves are in no record: its row has who last changed an amount.
  'payroll_draft.save': 'request.amounts_by',
  'payout_file.make': 'request.created_by',
  'payout_reversal.ask': 'request.created_by',
  'usual_pay_change.propose': 'request.created_by',
};

/** SQL of the amount, in minor units, from which the separations of a thing hold. */
export function amountSql({ name }: Thing): string {
  if (name === 'usual_pay_change') return 'request.compared_minor';
  if (name === 'payroll_batch') return 'coalesce(request.together_minor, request.total_minor)';
  return name === 'payout_file' ? 'request.total_minor' : 'request.amount_minor';
}

/**
 * Duties of which the amounts add up for each person paid, and not for the company: who verified an account can divert
 * the money of its owner.
 */
const BY_PERSON: ReadonlySet<Separation['rule']> = new Set(['bankAccount']);
export function isByPerson(rule: Separation['rule']): boolean {
  return BY_PERSON.has(rule);
}

/**
 * SQL of what administrators did alone for the owner of a row `request` in this month of the company, in minor units,
 * under the duties whose amounts add up for each person paid.
 */
export function aloneForOwner({ timeZone }: Pick<CompanySettings, 'timeZone'>): string {
  return `coalesce((
    SELECT amount_minor FROM amount_used
     WHERE limit_name = 'bankAccount' AND subject_id = request.user_id
       AND since = date_trunc('month', now() AT TIME ZONE '${timeZone}')::date), 0)`;
}

/** @throws TypeError for an act of which nobody says here who did it */
export function doneBySql(step: string): string {
  const known: Readonly<Partial<Record<string, string>>> = DONE_BY;
  const doneBy = known[step];
  if (doneBy === undefined) throw new TypeError(`unknown first step ${step}`);
  return doneBy;
}

export function separationsOf<T extends Thing>(thing: T, act: ActOf<T>): readonly Separation[] {
  return specOf(thing, act).secondPerson ?? [];
}

/** The separations by which an act is refused or is not the next step: of a first step those of the second one. */
export function separationsAbout<T extends Thing>(thing: T, act: ActOf<T>): readonly Separation[] {
  return separationsOf(thing, specOf(thing, act).firstOf?.act ?? act);
}

/**
 * SQL condition that is true if a second step is for others: this admin did the first, counts as one with who did, or
 * cannot be a second person.
 */
export function isForOthers(
  doneBy: RawBuilder<unknown>,
  { duties, actorId }: { duties: Duties; actorId: string },
): RawBuilder<boolean> {
  return mayBeSecond(duties, actorId)
    ? sql`coalesce(${doneBy} = ANY (${onesWith(duties, actorId)}::uuid[]), false)`
    : sql`${doneBy} IS NOT NULL`;
}

/** SQL condition that is true if an act on a row `request` takes another admin than this one. */
export function takesAnother<T extends Thing>(
  thing: T,
  act: ActOf<T>,
  reader: { duties: Duties; actorId: string },
): RawBuilder<boolean> {
  const causes = separationsOf(thing, act).flatMap(({ rule, after }) => {
    const isOthers = anyOf(after.map((step) => isForOthers(sql.raw(doneBySql(step)), reader)));
    if (rule === 'always') return [isOthers];
    const least = thresholdInForce(reader.duties, rule);
    if (least === null) return [];
    const ofOwner = isByPerson(rule) ? ` + ${aloneForOwner(reader.duties.settings)}` : '';
    return [sql`(${sql.raw(amountSql(thing) + ofOwner)} >= ${least}::bigint AND ${isOthers})`];
  });
  const isOwn = sql`request.user_id = ${reader.actorId}::uuid`;
  return anyOf([specOf(thing, act).by === 'admin' ? isOwn : sql.lit(false), ...causes]);
}

function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`(${sql.join(conditions, sql` OR `)})`;
}
