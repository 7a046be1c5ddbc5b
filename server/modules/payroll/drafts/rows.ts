import { sql } from 'kysely';
import type { PayrollDraft } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { personName } from '#server/db/person-name.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { lastAct, recordedActs } from '#server/modules/acts/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { byWalletType } from '#server/modules/wallets/index.ts';
import { batchName } from '../rules.ts';

/** SQL of the people whom a draft `one` would pay, before who is really paid is decided: with an amount, or of the department. */
const COUNTED = sql`(
  SELECT CASE
    WHEN one.has_own_amounts
    THEN json_build_object('employees', one.amounts_count, 'minor', one.amounts_minor::text)
    WHEN one.department = 'chosen'
    THEN json_build_object('employees', one.people_count,
                           'minor', (one.people_count * coalesce(one.amount_minor, 0))::text)
    ELSE (SELECT json_build_object('employees', count(*),
                   'minor', (count(*) * coalesce(one.amount_minor, 0))::text)
            FROM app_user AS person
            JOIN wallet ON wallet.user_id = person.id AND wallet.type = one.wallet_type
                       AND wallet.closed_at IS NULL
           WHERE person.is_employee AND person.accepted_at IS NOT NULL AND person.deactivated_at IS NULL
             AND one.department IN ('all', person.department)) END)`;

/** Amounts of a draft for one type of wallet, as JSON of the database. */
interface WalletRow {
  id: string;
  walletType: WalletType;
  version: number;
  employees: number;
  minor: string;
}

/** Each type of wallet of the payroll that a draft is, or is a part of: the draft first, then its parts. */
const WALLETS = sql<WalletRow[]>`(
  SELECT json_agg(json_build_object('id', one.id, 'walletType', one.wallet_type, 'version', one.version,
           'employees', counted -> 'employees', 'minor', counted ->> 'minor')
           ORDER BY one.part_of IS NOT NULL, ${byWalletType('one.wallet_type')})
    FROM payroll_draft AS one CROSS JOIN LATERAL (SELECT ${COUNTED} AS counted) AS counted
   WHERE (one.id = coalesce(payroll_draft.part_of, payroll_draft.id)
          OR one.part_of = coalesce(payroll_draft.part_of, payroll_draft.id))
     AND (one.status = payroll_draft.status OR one.id = payroll_draft.id))`.as('wallets');

/** Name in place of the person who made a draft that was prepared for a payday. */
export const PURSER = 'Purser';

/** Drafts with the names of their people, and the payroll they were made of. */
export function selectDrafts(reader: Reader) {
  return reader
    .selectFrom('payrollDraft')
    .leftJoin('payrollBatch', 'payrollBatch.id', 'payrollDraft.fromBatchId')
    .selectAll('payrollDraft')
    .select(personName<string | null>('payroll_draft.created_by').as('createdByName'))
    .select(personName<string | null>('payroll_draft.changed_by').as('changedByName'))
    .select(['payrollBatch.number as batchNumber', 'payrollBatch.declineReason', WALLETS])
    .select(recordedActs(payrollBatch, 'payroll_batch.id').as('done'));
}

export function readDrafts(reader: Reader, ids: readonly string[]) {
  return selectDrafts(reader)
    .where(sql<boolean>`payroll_draft.id = ANY (${ids}::uuid[])`)
    .execute();
}

export type DraftRow = Awaited<ReturnType<typeof readDrafts>>[number];

export function presentDraft(row: DraftRow, settings: CompanySettings): PayrollDraft {
  const { currency } = row;
  const wallets = row.wallets.map(({ minor, ...wallet }) => ({
    ...wallet,
    total: money(BigInt(minor), currency),
  }));
  const own = invariant(
    wallets.find(({ id }) => id === row.id),
    'a draft is one of its payroll',
  );
  const isWhole = row.partOf === null && wallets.length > 1;
  return {
    id: row.id,
    name:
      row.name ?? batchName(isWhole ? { payOn: row.payOn } : row, row.createdAt, settings.timeZone),
    ownName: row.name,
    status: row.status,
    walletType: row.walletType,
    department: row.department,
    payOn: row.payOn,
    description: row.description,
    hasOwnAmounts: row.hasOwnAmounts,
    amount: row.amountMinor === null ? null : money(row.amountMinor, currency),
    startedFrom: row.startedFrom,
    note: row.note,
    version: row.version,
    createdBy: row.createdByName ?? PURSER,
    preparedFor: row.preparedFor,
    createdAt: row.createdAt.toISOString(),
    changedBy: row.changedByName ?? PURSER,
    changedAt: row.updatedAt.toISOString(),
    employees: own.employees,
    total: own.total,
    fromBatch: returnOf(row),
    sentBatchId: row.sentBatchId,
    partOf: row.partOf,
    wallets,
  };
}

function returnOf(row: DraftRow): PayrollDraft['fromBatch'] {
  const { fromBatchId, batchNumber, declineReason: reason } = row;
  if (fromBatchId === null || batchNumber === null) return null;
  const declined = lastAct(payrollBatch, row, 'decline');
  const done = declined ?? lastAct(payrollBatch, row, 'stop');
  if (done === undefined || done.by === null) return null;
  const was = declined === undefined ? 'stopped' : 'declined';
  const at = new Date(done.at).toISOString();
  return { id: fromBatchId, number: batchNumber, was, by: done.by, at, reason };
}

/** So many open drafts that are no parts, the one changed last first. */
export async function newestDrafts(
  reader: Reader,
  settings: CompanySettings,
  limit: number,
): Promise<PayrollDraft[]> {
  const rows = await selectDrafts(reader)
    .where('payrollDraft.status', '=', 'open')
    .where('payrollDraft.partOf', 'is', null)
    .orderBy('payrollDraft.updatedAt', 'desc')
    .orderBy('payrollDraft.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => presentDraft(row, settings));
}

/** @throws {AppError} `payroll_draft_not_found` */
export async function getPayrollDraft(
  reader: Reader,
  settings: CompanySettings,
  id: string,
): Promise<PayrollDraft> {
  const [row] = await readDrafts(reader, [id]);
  if (row === undefined) throw new AppError('payroll_draft_not_found');
  return presentDraft(row, settings);
}
