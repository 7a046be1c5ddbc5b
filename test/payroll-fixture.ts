import { sql } from 'kysely';
import { expect } from 'vitest';
import type { PayrollBatch, PayrollDraft, PayrollPreview, RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor, CommandContext } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import type { Clock } from '#server/lib/clock.ts';
import { createPayrollDraft } from '#server/modules/payroll/drafts/create-draft.ts';
import { savePayrollDraft } from '#server/modules/payroll/drafts/save-draft.ts';
import {
  checkPayrollFile,
  fillInPayrollFile,
} from '#server/modules/payroll/drafts/fill-in-file.ts';
import {
  previewPayrollDraft,
  sendPayrollDraft,
} from '#server/modules/payroll/drafts/send-draft.ts';
import {
  acknowledgeDifference,
  previewPayroll,
  sendPayroll,
} from '#server/modules/payroll/index.ts';
import { bodyOf } from './factories/files.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { problemsIn } from './sound-books.ts';

export const PAYROLL_AMOUNT_MINOR = 192_000n;

/**
 * Previews and confirms a payroll for every employee's salary wallet; answers the batch's id.
 *
 * @param options.payOn the pay date
 */
export async function confirmPayroll(
  db: Db,
  admin: Actor,
  { payOn, ...services }: { payOn?: string; clock: Clock } = { clock: systemClock },
): Promise<string> {
  const order = {
    walletType: 'salary' as const,
    department: 'all' as const,
    amount: money(PAYROLL_AMOUNT_MINOR, 'USD'),
    description: 'Biweekly pay',
    ...(payOn !== undefined && { payOn }),
  };
  const by = { actor: admin };
  const preview = await previewPayroll(db, services, by, order);
  const seen = { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash };
  const { id } = await withTx(db, async (tx) => {
    await acknowledgeAll(tx, services, by, preview);
    return sendPayroll(tx, services, by, { ...order, ...seen });
  });
  return id;
}

/** Order of a draft that pays each person their own amount, without anybody yet. */
export const OWN_AMOUNTS: RouteArguments<'adminCreatePayrollDraft'>['body'] = {
  walletType: 'salary',
  department: 'all',
  payOn: null,
  description: 'Biweekly pay',
  hasOwnAmounts: true,
  amount: null,
};

/** Makes a draft that pays each of those people their own amount, in cents. */
export async function draftOwnAmounts(
  db: Db,
  admin: Actor,
  amounts: ReadonlyMap<string, bigint>,
  { clock = systemClock, ...order }: Partial<typeof OWN_AMOUNTS> & { clock?: Clock } = {},
): Promise<PayrollDraft> {
  const by = { actor: admin };
  const people = [...amounts].map(([id, minor]) => ({ id, amount: money(minor, 'USD') }));
  const body = { ...OWN_AMOUNTS, ...order };
  const { id, version } = await withTx(db, (tx) => createPayrollDraft(tx, { clock }, by, body));
  return withTx(db, (tx) => savePayrollDraft(tx, { clock }, by, { id, version, people }));
}

/** Sends a draft by what its preview shows now. */
export async function sendDraftAsSeen(
  db: Db,
  admin: Actor,
  id: string,
  services: { clock: Clock } = { clock: systemClock },
): Promise<PayrollBatch> {
  const by = { actor: admin };
  const preview = await previewPayrollDraft(db, services, { id, readerId: admin.id });
  const seen = { id, previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash };
  return withTx(db, async (tx) => {
    await acknowledgeAll(tx, services, by, preview);
    return sendPayrollDraft(tx, services, by, seen);
  });
}

/** Fails unless the kept sums of all drafts are those of their people. */
export async function expectDraftSums(db: Db): Promise<void> {
  const wrong = await sql`
    SELECT id FROM payroll_draft AS draft
     WHERE (people_count, amounts_count, amounts_minor) <> (
       SELECT count(*), count(amount_minor), coalesce(sum(amount_minor), 0)
         FROM payroll_draft_person WHERE draft_id = draft.id)`.execute(db);
  expect(wrong.rows).toEqual([]);
}

/** Findings about payrolls, reversals and their postings. The people of such tests have no records of their own. */
export async function payrollFindings(db: Db): Promise<string[]> {
  const wanted = businessChecks.filter(({ name }) =>
    /payroll|recovery|return|posting-sides/.test(name),
  );
  const problems = await withTx(db, (tx) => problemsIn(tx, wanted));
  return problems.map(({ check, what }) => `${check}: ${what}`);
}

/** Acknowledges all differences to the last payroll that a preview shows. */
export async function acknowledgeAll(
  tx: Tx,
  services: { clock: Clock },
  by: CommandContext,
  { wallets, ...preview }: Pick<PayrollPreview, 'hash' | 'differences' | 'wallets'>,
): Promise<void> {
  for (const { hash, differences } of wallets.length === 0 ? [preview] : wallets) {
    for (const { group } of differences?.groups ?? []) {
      await acknowledgeDifference(tx, services, by, { hash, group, isAcknowledged: true });
    }
  }
}

export interface PayrollAccount {
  /** Lines marked as paid. */
  paidLines: number;
  /** Paid lines whose money is not in the ledger exactly as the line says. */
  losses: number;
  /** Ledger transactions of lines beyond one per line, or of lines that are not paid. */
  doubles: number;
  /** Sums that the ledger moved, and those that the batch claims. */
  movedMinor: bigint;
  batchPaidMinor: bigint;
  /** Notifications and mails about being paid. */
  notifications: number;
  mails: number;
}

/** Compares a batch with the ledger, line by line. */
export async function accountForPayroll(db: Reader, batchId: string): Promise<PayrollAccount> {
  const { rows } = await sql<PayrollAccount>`
    WITH posting AS (
      SELECT subject_id, count(*) AS count FROM ledger_transaction GROUP BY subject_id
    ), line AS (
      SELECT line.*, wallet.ledger_account_id, coalesce(posting.count, 0) AS postings
        FROM payroll_line AS line
        LEFT JOIN wallet ON wallet.id = line.wallet_id
        LEFT JOIN posting ON posting.subject_id = line.id
       WHERE batch_id = ${batchId}
    ), credited AS (
      SELECT line.id, sum(entry.amount) AS amount
        FROM line JOIN ledger_entry AS entry
          ON entry.transaction_id = line.ledger_transaction_id
         AND entry.account_id = line.ledger_account_id
       GROUP BY line.id
    )
    SELECT (SELECT count(*)::integer FROM line WHERE status = 'processed') AS paid_lines,
           (SELECT count(*)::integer FROM line LEFT JOIN credited ON credited.id = line.id
             WHERE status = 'processed' AND credited.amount IS DISTINCT FROM line.amount_minor)
             AS losses,
           (SELECT count(*)::integer FROM line
             WHERE postings <> (status = 'processed')::integer) AS doubles,
           (SELECT coalesce(sum(amount), 0)::bigint FROM credited) AS moved_minor,
           (SELECT paid_minor FROM payroll_batch WHERE id = ${batchId}) AS batch_paid_minor,
           (SELECT count(*)::integer FROM notification
             WHERE related_id IN (SELECT id FROM line)) AS notifications,
           (SELECT count(*)::integer FROM outbox
             WHERE kind = 'mail' AND user_id IN (SELECT user_id FROM line)) AS mails`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a query without FROM gave no row');
  return row;
}

type Reading = RouteArguments<'adminCheckPayrollFile'>['query'];
type Filling = RouteArguments<'adminFillInPayrollFile'>['query'];

/** Checking a file of amounts against a draft, and filling it in as it was seen, by an administrator. */
export function payrollFiles(db: () => Db, services: { clock: Clock }, by: () => CommandContext) {
  const order = (id: string, file: string | Uint8Array, query: Partial<Reading> = {}) => ({
    id,
    body: bodyOf(file),
    query: { leftOut: '', deductions: '', ...query },
  });
  const check = (id: string, file: string | Uint8Array, query: Partial<Reading> = {}) =>
    checkPayrollFile(db(), services, by(), order(id, file, query));
  return {
    order,
    check,
    /** With the file's own sum as the control total. */
    fill: async (
      { id, version }: Pick<PayrollDraft, 'id' | 'version'>,
      file: string | Uint8Array,
      query: Partial<Filling> = {},
    ): Promise<PayrollDraft> => {
      const { hash, total } = await check(id, file, query);
      return fillInPayrollFile(db(), services, by(), {
        id,
        body: bodyOf(file),
        query: {
          leftOut: '',
          deductions: '',
          absent: '',
          fileName: 'net-pay.csv',
          hash,
          version,
          controlTotal: total.minor,
          ...query,
        },
      });
    },
  };
}
