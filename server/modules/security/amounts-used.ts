import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SummedDuty } from '#contract/duties.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** A limit of what is moved in a time: a duty in a month of the company, an API key in a day of it. */
export interface AmountLimit {
  readonly name: SummedDuty | 'apiKey';
  /** Id of the person paid, or of the key; null: the company. */
  readonly subjectId: string | null;
  /** Amount in minor units that all together stay below. */
  readonly belowMinor: bigint;
}

/**
 * SQL of the day in the company's time zone with which the present period of a limit begins: the first of the month,
 * of an API key's today. By the clock of the database, so that all processes count to the same.
 */
function periodStart(name: AmountLimit['name'], timeZone: string): RawBuilder<Date> {
  const unit = name === 'apiKey' ? 'day' : 'month';
  return sql`date_trunc(${sql.lit(unit)}, now() AT TIME ZONE ${timeZone})::date`;
}

/**
 * Counts an amount to limits. Of concurrent transactions each sees what those before it counted, so that two together do
 * not both stay below: the rows stay locked until the transaction ends. A limit that the amount would reach is left as
 * it is.
 *
 * @returns names of the limits that it stays below, each with the first day of its period
 */
export async function countAmount(
  tx: Tx,
  { timeZone }: Pick<CompanySettings, 'timeZone'>,
  amountMinor: bigint,
  limits: readonly AmountLimit[],
): Promise<ReadonlyMap<AmountLimit['name'], string>> {
  if (limits.length === 0) return new Map();
  const rowOf = ({ name, subjectId, belowMinor }: AmountLimit) => sql`(
    ${name}::text, ${subjectId}::uuid, ${periodStart(name, timeZone)}, ${belowMinor}::bigint)`;
  const { rows } = await sql<{ name: AmountLimit['name']; since: string }>`
    WITH asked (limit_name, subject_id, since, below) AS (VALUES ${sql.join(limits.map(rowOf))})
    INSERT INTO amount_used AS used (limit_name, subject_id, since, amount_minor)
    SELECT limit_name, subject_id, since, ${amountMinor}::bigint FROM asked
     WHERE ${amountMinor}::bigint < below ORDER BY limit_name
    ON CONFLICT (limit_name, subject_id, since) DO UPDATE
      SET amount_minor = used.amount_minor + excluded.amount_minor
     WHERE used.amount_minor + excluded.amount_minor
           < (SELECT below FROM asked WHERE asked.limit_name = excluded.limit_name)
    RETURNING limit_name AS name, since::text`.execute(tx);
  return new Map(rows.map(({ name, since }) => [name, since]));
}

/**
 * Facts for the audit record of an act that was counted, of which `amount_used` is the sum: the amount (`usedMinor`), the
 * duties under which one administrator did it alone (`aloneIn`) with the first day of their month (`aloneSince`), and
 * the day of the API key that sent it (`keyDay`).
 */
export function usedFacts(
  amountMinor: bigint,
  counted: ReadonlyMap<AmountLimit['name'], string>,
): AuditDetails {
  const { apiKey: keyDay, ...duties } = Object.fromEntries(counted);
  const [aloneSince] = Object.values(duties);
  if (counted.size === 0) return {};
  return {
    usedMinor: amountMinor.toString(),
    ...(aloneSince !== undefined && { aloneIn: Object.keys(duties), aloneSince }),
    ...(keyDay !== undefined && { keyDay }),
  };
}

/**
 * Takes back what a payroll that was stopped was counted as sent alone, or as approved by its own sender, as its record
 * says. What an API key sent on a day stays counted.
 *
 * @returns facts for the audit record
 */
export async function uncountAlone(tx: Tx, batchId: string): Promise<AuditDetails> {
  const { rows } = await sql<{ usedMinor: string; aloneSince: string }>`
    UPDATE amount_used AS used SET amount_minor = amount_minor - (sent.details ->> 'usedMinor')::bigint
      FROM audit_event AS sent
     WHERE sent.subject_type = 'payroll_batch' AND sent.subject_id = ${batchId}::uuid
       AND sent.action IN ('payroll.sent', 'payroll.approved') AND sent.details ? 'aloneIn'
       AND used.limit_name = 'payroll' AND used.subject_id IS NULL
       AND used.since = (sent.details ->> 'aloneSince')::date
    RETURNING sent.details ->> 'usedMinor' AS used_minor,
              sent.details ->> 'aloneSince' AS alone_since`.execute(tx);
  const [sent] = rows;
  if (sent === undefined) return {};
  return { usedMinor: `-${sent.usedMinor}`, aloneIn: ['payroll'], aloneSince: sent.aloneSince };
}
