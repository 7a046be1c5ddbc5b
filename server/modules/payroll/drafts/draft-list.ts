import { sql } from 'kysely';
import { payrollDraftList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentDraft, readDrafts } from './rows.ts';
import type { DraftRow } from './rows.ts';

const CHANGED_LAST = descending(
  key(sql`payroll_draft.updated_at`, 'instant'),
  key(sql`payroll_draft.id`, 'uuid'),
);

/** Open drafts that are no parts of another, the one changed last first. */
export const payrollDrafts = readsList(payrollDraftList, {
  from: () => [sql`payroll_draft`],
  id: sql`payroll_draft.id`,
  within: () => sql`payroll_draft.status = 'open' AND payroll_draft.part_of IS NULL`,
  where: {},
  segments: () => [{ order: CHANGED_LAST }],
  rows: readDrafts,
  present: (row: DraftRow, settings: CompanySettings) => presentDraft(row, settings),
});
