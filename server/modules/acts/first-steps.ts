import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FirstStep } from '#contract/duties.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Separation, Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { mayBeSecond, onesWith, thresholdInForce } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { lastTime } from './recorded.ts';

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
