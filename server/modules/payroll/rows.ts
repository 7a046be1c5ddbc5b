import type { PayrollBatch } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import type { FundingType } from '#contract/funding.ts';
import type { Currency } from '#contract/money.ts';
import type {
  PayrollLineReason,
  PayrollLineStatus,
  PayrollStatus,
  ReversalReason,
} from '#contract/payroll.ts';
import type { RecoveryStatus } from '#contract/recovery.ts';
import { sql } from 'kysely';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { WalletType } from '#contract/wallets.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import type { RecordedAct } from '#server/modules/acts/index.ts';
import { recordedActs } from '#server/modules/acts/index.ts';
import type { Breakdown } from './breakdown.ts';

type FundedEmployee = NonNullable<PayrollBatch['fundedEmployee']>;

/** A row of payroll_batch with the name of its sender, and the acts that were done to it. */
export interface BatchRow {
  id: string;
  number: string;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  fundedEmployee: FundedEmployee | null;
  name: string;
  payPeriod: string;
  description: string;
  walletType: WalletType;
  department: Department | 'all' | 'chosen';
  /** Null: each person's own. */
  amountMinor: bigint | null;
  /** Pay date; null: sent as soon as it could no longer be stopped. */
  payOn: string | null;
  currency: Currency;
  status: PayrollStatus;
  payableCount: number;
  skippedCount: number;
  totalMinor: bigint;
  /** Paid by all batches of its confirmation; null: it was confirmed alone. */
  togetherMinor: bigint | null;
  /** The others of them, as JSON of the database. */
  together: TogetherRow[];
  postedThrough: number;
  paidCount: number;
  failedCount: number;
  paidMinor: bigint;
  /** Taken back of what was paid: whole lines, and the money of these and of parts of others. */
  reversedCount: number;
  reversedMinor: bigint;
  /** Failed lines that a funding pays in their place, as JSON of the database; null where none failed. */
  paidOtherwise: { lines: number; minor: string } | null;
  createdBy: string;
  createdByName: string;
  /** The administrator who last changed its amounts in the draft; null: nobody, or its sender typed them. */
  amountsBy: string | null;
  /** Groups of differences that had to be acknowledged; null where nothing was compared. */
  differences: string[] | null;
  needsApproval: boolean;
  approvedAt: Date | null;
  /** Milliseconds until it is sent, at least 0; null when it cannot be stopped. */
  sendsInMs: number | null;
  postAfter: Date;
  draftId: string | null;
  note: string | null;
  discardedAt: Date | null;
  declineReason: string | null;
  createdAt: Date;
  startedAt: Date | null;
  processedAt: Date | null;
  done: RecordedAct[];
}

/** Another batch of the same confirmation. Its total is in minor units. */
interface TogetherRow {
  id: string;
  number: string;
  walletType: WalletType;
  status: PayrollStatus;
  total: string;
}

/** A row of payroll_line with whose it is. */
export interface LineRow {
  id: string;
  lineNumber: number;
  userId: string;
  personName: string;
  employeeNumber: string | null;
  avatarId: string | null;
  department: Department;
  walletLast4: string | null;
  status: PayrollLineStatus;
  reason: PayrollLineReason | null;
  amountMinor: bigint;
  reversedMinor: bigint;
  reversals: ReversalRow[];
  breakdown: Breakdown | null;
  /** The funding that pays a failed line in its place. */
  paidOtherwise: { id: string; number: string; status: PayrollStatus } | null;
  /** The newest recovery, as JSON of the database with amounts in minor units. */
  recovery: { id: string; status: RecoveryStatus; amount: string; recovered: string } | null;
  deductedMinor: bigint;
  processedAt: Date | null;
}

/** A reversal as JSON of the database. */
interface ReversalRow {
  /** In minor units. */
  amount: string;
  reason: ReversalReason;
  message: string;
  by: string;
  at: string;
  number: number;
}

/** The employee of a batch that funds one. A payroll is not asked for its lines. */
const FUNDED = sql<FundedEmployee | null>`(
  SELECT jsonb_build_object('id', person.id, 'name', person.name,
                            'employeeId', person.employee_number)
    FROM payroll_line AS line JOIN app_user AS person ON person.id = line.user_id
   WHERE payroll_batch.funding_type IS NOT NULL AND line.batch_id = payroll_batch.id
   LIMIT 1)`.as('fundedEmployee');

/**
 * Milliseconds until a payroll is sent, at least 0; null when it cannot be stopped (`presentWindow`). By
 * the database's clock, so that the countdown does not depend on the process that answers.
 */
export const SENDS_IN_MS = sql<number | null>`
  CASE WHEN payroll_batch.status = 'pending' AND payroll_batch.funding_type IS NULL
        AND (NOT payroll_batch.needs_approval OR payroll_batch.approved_at IS NOT NULL)
       THEN greatest(0, extract(epoch FROM payroll_batch.post_after - clock_timestamp()) * 1000)::float8
   END`.as('sendsInMs');

/** The draft that a stopped or declined payroll became. */
const DRAFT = sql<string | null>`(
  SELECT draft.id FROM payroll_draft AS draft
   WHERE draft.from_batch_id = payroll_batch.id AND draft.status = 'open')`.as('draftId');

/** Words of the sender for who approves it, which its draft keeps, or the one that this is a part of. */
const NOTE = sql<string | null>`(
  SELECT coalesce(whole.note, draft.note)
    FROM payroll_draft AS draft LEFT JOIN payroll_draft AS whole ON whole.id = draft.part_of
   WHERE draft.sent_batch_id = payroll_batch.id)`.as('note');

/** Failed lines that a funding pays in their place. A payroll without failed lines is not asked for them. */
const PAID_OTHERWISE = sql<BatchRow['paidOtherwise']>`
  CASE WHEN payroll_batch.failed_count > 0 THEN (
    SELECT json_build_object('lines', count(*)::integer, 'minor', coalesce(sum(line.amount_minor), 0)::text)
      FROM payroll_line AS line
     WHERE line.batch_id = payroll_batch.id AND line.reason IS NOT NULL AND line.paid_by IS NOT NULL)
  END`.as('paidOtherwise');

/** The other batches of the same confirmation. */
const TOGETHER = sql<BatchRow['together']>`
  CASE WHEN payroll_batch.together_id IS NULL THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(json_build_object('id', other.id, 'number', other.number,
             'walletType', other.wallet_type, 'status', other.status, 'total', other.total_minor::text)
             ORDER BY length(other.number), other.number), '[]')
      FROM payroll_batch AS other
     WHERE other.together_id = payroll_batch.together_id AND other.id <> payroll_batch.id)
  END`.as('together');

const DONE = recordedActs(payrollBatch, 'payroll_batch.id').as('done');

/** Batches with the name of the person who created them, and the acts that were done to them. */
export function selectBatches(reader: Reader) {
  return reader
    .selectFrom('payrollBatch')
    .innerJoin('appUser as creator', 'creator.id', 'payrollBatch.createdBy')
    .selectAll('payrollBatch')
    .select([
      'creator.name as createdByName',
      SENDS_IN_MS,
      FUNDED,
      DRAFT,
      NOTE,
      PAID_OTHERWISE,
      TOGETHER,
    ])
    .select(DONE);
}

/** These batches as they are shown, in any order. */
export function readBatches(reader: Reader, ids: readonly string[]) {
  return selectBatches(reader)
    .modifyFront(prepared)
    .where(sql<boolean>`payroll_batch.id = ANY (${ids}::uuid[])`)
    .execute();
}

/** SQL of the reversals of a line, oldest first. Lines without one, which almost all are, ask for none. */
const REVERSALS = sql<LineRow['reversals']>`
  CASE WHEN payroll_line.reversed_minor = 0 THEN '[]'::json ELSE (
    SELECT json_agg(json_build_object('amount', reversal.amount_minor::text,
             'reason', reversal.reason, 'message', reversal.message, 'by', person.name,
             'at', reversal.reversed_at, 'number', reversal.number) ORDER BY reversal.number)
      FROM payroll_reversal AS reversal JOIN app_user AS person ON person.id = reversal.reversed_by
     WHERE reversal.line_id = payroll_line.id) END`.as('reversals');

/** SQL of the newest recovery of a line. */
const RECOVERY = sql<LineRow['recovery']>`(
  SELECT json_build_object('id', recovery.id, 'status', recovery.status,
           'amount', recovery.amount_minor::text, 'recovered', recovery.recovered_minor::text)
    FROM recovery WHERE recovery.line_id = payroll_line.id ORDER BY recovery.id DESC LIMIT 1)`.as(
  'recovery',
);

/** SQL of the instalments that were taken from a line and not given back. */
const DEDUCTED = sql<bigint>`coalesce((
  SELECT sum(amount_minor) FROM recovery_instalment AS instalment
   WHERE instalment.line_id = payroll_line.id AND instalment.given_back_transaction_id IS NULL), 0)::bigint`.as(
  'deductedMinor',
);

/** The funding that pays a failed line in its place. */
const PAYS_LINE = sql<LineRow['paidOtherwise']>`
  CASE WHEN payroll_line.paid_by IS NOT NULL THEN (
    SELECT json_build_object('id', funding.id, 'number', funding.number, 'status', funding.status)
      FROM payroll_batch AS funding WHERE funding.id = payroll_line.paid_by) END`.as(
  'paidOtherwise',
);

/** These lines as they are shown, with their people, in any order. */
export function readLines(reader: Reader, ids: readonly string[]): Promise<LineRow[]> {
  return reader
    .selectFrom('payrollLine')
    .innerJoin('appUser as person', 'person.id', 'payrollLine.userId')
    .leftJoin('avatar', 'avatar.userId', 'person.id')
    .leftJoin('wallet', 'wallet.id', 'payrollLine.walletId')
    .modifyFront(prepared)
    .select([
      'payrollLine.id',
      'payrollLine.lineNumber',
      'payrollLine.userId',
      'person.name as personName',
      'person.employeeNumber',
      'person.department',
      'avatar.id as avatarId',
      'wallet.last4 as walletLast4',
      'payrollLine.status',
      'payrollLine.reason',
      'payrollLine.amountMinor',
      'payrollLine.reversedMinor',
      'payrollLine.processedAt',
    ])
    .select([REVERSALS, RECOVERY, DEDUCTED, PAYS_LINE])
    .select(sql<Breakdown | null>`payroll_line.breakdown`.as('breakdown'))
    .where(sql<boolean>`payroll_line.id = ANY (${ids}::uuid[])`)
    .execute();
}
