import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { SETTINGS, SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName } from '#contract/settings.ts';
import { newestSettings } from '#server/modules/settings/index.ts';
import { faulty, unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { isoDay, isoTime, recordCheck } from './records.ts';

/** Settings that are not kept in a column of their own name, as SQL of the value that admins see. */
const KEPT_OTHERWISE: Partial<Record<SettingName, string>> = {
  payrollFrequency: `coalesce(thing.payroll_frequency, 'none')`,
  payrollDays: `CASE WHEN thing.payroll_frequency IS NULL THEN '15_last' ELSE thing.payroll_days END`,
  payrollDay: `CASE WHEN thing.payroll_frequency IS NULL THEN 'last'
                    ELSE coalesce(thing.payroll_day, 'last') END`,
  payrollFirstPayday: `CASE WHEN thing.payroll_frequency IS NULL THEN ''
                            ELSE coalesce(${isoDay('thing.payroll_first_payday')}, '') END`,
};

/** Settings that the server alone changes. */
const OWN = {
  employeeNumberPrefix: 'thing.employee_number_prefix',
  payoutsStoppedAt: isoTime('thing.payouts_stopped_at'),
  demo: 'thing.demo',
};

/** SQL of a setting's value as its records state it: JSON. */
function valueOf(name: SettingName): string {
  const column = `thing.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const { kind } = SETTINGS[name];
  if (kind === 'amount') {
    return `CASE WHEN ${column}_minor IS NOT NULL THEN jsonb_build_object(
      'minor', ${column}_minor::text, 'currency', thing.currency::text) END`;
  }
  if (KEPT_OTHERWISE[name] !== undefined) return asText(KEPT_OTHERWISE[name]);
  return kind === 'text' || kind === 'choice'
    ? asText(`coalesce(${column}, '')`)
    : `to_jsonb(${column})`;
}

function asText(value: string): string {
  return `to_jsonb((${value})::text)`;
}

function valuesNow(): RawBuilder<unknown> {
  const values = [
    ...SETTING_NAMES.map((name) => [name, valueOf(name)] as const),
    ...Object.entries(OWN).map(([name, value]) => [name, asText(value)] as const),
  ];
  const rows = values.map(
    ([name, value]) => sql`(${sql.lit(name)}, coalesce(${sql.raw(value)}, 'null'::jsonb))`,
  );
  return sql`(VALUES ${sql.join(rows)}) AS setting (name, value)`;
}

/** SQL of the settings that a proposal's record names, with the values of one of its lists. */
function recorded(list: 'before' | 'after'): string {
  return `(SELECT jsonb_object_agg(field.name, value.text::jsonb)
             FROM jsonb_array_elements_text(made.details -> 'fields') WITH ORDINALITY AS field (name, place)
             JOIN jsonb_array_elements_text(made.details -> '${list}') WITH ORDINALITY AS value (text, place)
               USING (place))`;
}

/** SQL of the runs that found a problem since the last sound run of everything, newest last. */
export const unsoundRuns = sql`
  SELECT id, problems FROM verification_run
   WHERE NOT is_sound
     AND id > coalesce((SELECT id FROM verification_run
                         WHERE after_height IS NULL AND finished_at IS NOT NULL AND is_sound
                         ORDER BY id DESC LIMIT 1), 0)`;

/** SQL of the newest record of what verifications found; no row while nothing was ever found. */
export const newestBooksRecord = sql<{ action: string }>`
  SELECT action FROM audit_event
   WHERE subject_type = 'books' AND action IN ('books.found_unsound', 'books.found_sound')
   ORDER BY id DESC LIMIT 1`;

/**
 * The checks that the company's settings, and changes that wait for a second person, are the recorded ones, and that
 * verifications found what was recorded.
 */
export const settingsChecks: readonly ScopedCheck[] = [
  {
    name: 'settings',
    query: () =>
      faulty({
        id: 'setting.name',
        from: sql`company_settings AS thing CROSS JOIN LATERAL ${valuesNow()}
          JOIN (${newestSettings}) AS newest ON newest.name = setting.name`,
        where: 'true',
        faults: [
          [
            'setting.value <> newest.value::jsonb',
            'is %s; its newest record says %s',
            'setting.value',
            'newest.value',
          ],
        ],
      }),
  },
  {
    name: 'books-found',
    query: () =>
      faulty({
        id: `'runs'`,
        from: sql`(SELECT EXISTS (${unsoundRuns}) AS are_unsound) AS runs
          LEFT JOIN LATERAL (${newestBooksRecord}) AS newest ON true`,
        where: 'true',
        faults: [
          [
            `runs.are_unsound <> (coalesce(newest.action, '') = 'books.found_unsound')`,
            'say that the books are %s; the newest record of that is %s',
            `CASE WHEN runs.are_unsound THEN 'not sound' ELSE 'sound' END`,
            `coalesce(newest.action, 'none')`,
          ],
        ],
      }),
  },
  recordCheck({
    name: 'setting-proposal',
    table: 'security_proposal',
    scope: 'always',
    // Proposals of settings, of acts on administrators, and of closed months to open again.
    event: () => sql`(SELECT subject_id, actor_id, person_id, details FROM audit_event
      WHERE subject_type = 'security_proposal'
        AND action IN ('settings.proposed', 'admin_change.proposed', 'month_reopening.proposed'))`,
    missing: 'was proposed by nobody',
    facts: {},
    from: () => sql`LEFT JOIN LATERAL (
      SELECT actor_id FROM audit_event
       WHERE subject_type = 'security_proposal' AND subject_id = thing.id
         AND action IN ('settings.accepted', 'admin_change.accepted', 'month_reopening.accepted') LIMIT 1) AS accepted ON true`,
    faults: [
      unequal({
        'proposed by': ['thing.proposed_by', 'made.actor_id'],
        person: ['thing.person_id', 'made.person_id'],
        act: ['thing.act', `coalesce(made.details ->> 'act', 'changeSettings')`],
        closing: ['thing.closing_id::text', `made.details ->> 'closingId'`],
        reason: ['thing.reason', `made.details ->> 'reason'`],
        'open from': [isoTime('thing.opens_at'), `made.details ->> 'opensAt'`],
        rules: ['thing.rules', recorded('after')],
        'seen values': ['thing.seen', recorded('before')],
        'accepted by': [
          `CASE thing.outcome WHEN 'accepted' THEN thing.decided_by END`,
          'accepted.actor_id',
        ],
      }),
    ],
  }),
];
