import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Funding, RouteArguments } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import type { FundingType } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import { LedgerError } from '#server/modules/ledger/index.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { checkNotAddedByKey, countSent } from '../count-sent.ts';
import { readBatchFacts } from '../lines-hash.ts';
import { checkLimits } from '../order.ts';
import { postWithin } from '../post-payroll.ts';
import { fundingName, lineReference, payPeriod } from '../rules.ts';
import { periodNow } from '../already-paid.ts';
import { shareConfirming } from '../confirming-lock.ts';
import { lockFailedLine, markPaidBy } from './paid-otherwise.ts';
import { findFundable, paidPerson } from './fundable.ts';
import type { Fundable } from './fundable.ts';

type Order = RouteArguments<'adminFundEmployee'>['body'];

/**
 * Pays one employee from payroll funding: a batch of one line, posted in the same transaction. Where
 * the company lets a payroll of this size be paid by two people alone, the batch waits for the second
 * one, and is posted when it is approved.
 *
 * @throws {AppError} `own_request`, `person_not_found`, `funding_wallet_gone`, `amount_invalid`,
 *   `payroll_line_not_found`, `payroll_line_wrong_status`, `payroll_line_paid_otherwise` for a line that it cannot pay in
 *   place of, `payroll_line_limit`, `payroll_batch_limit`, `already_paid` when the pay period has paid them otherwise
 *   than was seen, or `funding_refused` when payroll funding cannot pay
 */
export async function fundEmployee(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id: userId, ...body }: Order & { id: string },
): Promise<Funding> {
  const settings = await readSettings(tx);
  if (body.amount.currency !== settings.currency) throw new AppError('amount_invalid');
  const amountMinor = BigInt(body.amount.minor);
  await shareConfirming(tx);
  const paysLine =
    body.paysLine === undefined
      ? null
      : await lockFailedLine(tx, { id: body.paysLine, userId, amountMinor });
  // Two fundings of a person run one after the other, so that the second sees what the first paid.
  // Whoever closes a wallet or deactivates its owner locks the owner first, and so comes before this
  // or after the money.
  await sql`SELECT FROM app_user WHERE id = ${userId}::uuid FOR NO KEY UPDATE`.execute(tx);
  checkNotOwn(by, userId);
  const employee = await findFundable(tx, userId);
  const wallet = await findOpenWallet(tx, userId, body.walletId);
  if (wallet === undefined) throw new AppError('funding_wallet_gone');
  checkLimits(
    { mostMinor: amountMinor, totalMinor: amountMinor, currency: settings.currency },
    settings,
  );

  const approvalFromMinor = await readThreshold(tx, settings, 'payroll');
  const { type } = body;
  const description = body.description === '' ? FUNDING_TYPES[type].label : body.description;
  const now = services.clock.now();
  const paid = await paidPerson(tx, userId, periodNow(settings, now));
  if (paid !== null && paid.paidHash !== body.alreadyPaidHash) throw new AppError('already_paid');
  const isAlone = approvalFromMinor !== null && amountMinor < approvalFromMinor;
  const used = await countSent(tx, by, { settings, amountMinor, isAlone });
  const batch: NewBatch = {
    id: newId(),
    type,
    employee,
    amountMinor,
    description,
    settings,
    now,
    walletId: body.walletId,
    paysLine,
    walletType: wallet.type,
    createdBy: by.actor.id,
    needsApproval: approvalFromMinor !== null && !(isAlone && used.isWithin),
    used: used.facts,
  };
  const number = await insertBatch(tx, batch);
  if (paysLine !== null) await markPaidBy(tx, paysLine, batch.id);
  await checkNotAddedByKey(tx, by, { settings, batchId: batch.id });
  await record(tx, by, batch);
  if (!batch.needsApproval) await postNow(tx, services, batch.id);

  const { accounts } = await listWallets(tx, userId);
  return {
    id: batch.id,
    reference: lineReference({ number, fundingType: type }, 1),
    type,
    employee: { id: employee.id, name: employee.name, employeeId: employee.employeeNumber },
    wallet: invariant(
      accounts.find(({ id }) => id === batch.walletId),
      'an open wallet is among the open ones',
    ),
    amount: money(amountMinor, settings.currency),
    description,
    status: batch.needsApproval ? 'pending' : 'completed',
    confirmedBy: by.actor.name,
    confirmedAt: now.toISOString(),
    arrivedAt: batch.needsApproval ? null : now.toISOString(),
  };
}

async function findOpenWallet(
  tx: Tx,
  userId: string,
  walletId: string,
): Promise<{ type: WalletType } | undefined> {
  return tx
    .selectFrom('wallet')
    .select('type')
    .where('id', '=', walletId)
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
}

interface NewBatch {
  id: string;
  type: FundingType;
  employee: Fundable;
  walletId: string;
  walletType: WalletType;
  /** The failed line that it pays in place of. */
  paysLine: string | null;
  amountMinor: bigint;
  description: string;
  settings: CompanySettings;
  createdBy: string;
  needsApproval: boolean;
  /** Limits that its amount was counted to, for its record. */
  used: AuditDetails;
  now: Date;
}

/** Writes the batch and its line, and answers the batch's number. */
async function insertBatch(tx: Tx, batch: NewBatch): Promise<string> {
  const { id, employee, settings, now, amountMinor } = batch;
  const { rows } = await sql<{ number: string }>`
    WITH batch AS (
      INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
        amount_minor, currency, status, preview_hash, payable_count, skipped_count, total_minor,
        created_by, created_at, post_after, started_at, updated_at, needs_approval, funding_type)
      SELECT ${id}::uuid, lpad(next.number, greatest(4, length(next.number)), '0'),
             ${fundingName(batch.type, now, settings.timeZone)}, ${payPeriod(null, now, settings.timeZone)},
             ${batch.description}, ${batch.walletType}, ${employee.department}, ${amountMinor},
             ${settings.currency}, ${batch.needsApproval ? 'pending' : 'processing'},
             ${confirmedHash(batch)}, 1, 0, ${amountMinor}, ${batch.createdBy}::uuid,
             ${now}::timestamptz, ${now}::timestamptz,
             ${batch.needsApproval ? null : now}::timestamptz, ${now}::timestamptz,
             ${batch.needsApproval}, ${batch.type}
        FROM (SELECT nextval('payroll_batch_number_seq')::text AS number) AS next
      RETURNING id, number
    ), line AS (
      INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status, breakdown)
      SELECT id, 1, ${employee.id}::uuid, ${batch.walletId}::uuid, ${amountMinor}, 'draft',
             (SELECT breakdown FROM payroll_line WHERE id = ${batch.paysLine}::uuid) FROM batch
    )
    SELECT number FROM batch`.execute(tx);
  return invariant(rows[0], 'an INSERT gave no row').number;
}

/** The confirmed order, like a payroll's preview: person, wallet, amount and reason. */
function confirmedHash({ type, employee, walletId, amountMinor, description }: NewBatch): Buffer {
  const order = [type, employee.id, walletId, amountMinor.toString(), description];
  return createHash('sha256').update(JSON.stringify(order)).digest();
}

/** The same record as of a payroll, which the verification compares batches with. */
async function record(tx: Tx, by: CommandContext, batch: NewBatch): Promise<void> {
  const { id, employee, needsApproval, now } = batch;
  journal(tx, by, payrollBatch, needsApproval ? 'fundToApprove' : 'fund', {
    id,
    userId: batch.createdBy,
    personId: employee.id,
    at: now,
    details: {
      fundingType: batch.type,
      ...(batch.paysLine !== null && { paysLine: batch.paysLine }),
      walletId: batch.walletId,
      walletType: batch.walletType,
      department: employee.department,
      amountMinor: batch.amountMinor.toString(),
      currency: batch.settings.currency,
      totalMinor: batch.amountMinor.toString(),
      payable: 1,
      skipped: 0,
      needsApproval,
      ...batch.used,
      ...(await readBatchFacts(tx, id)),
    },
    words: { employee: employee.name },
  });
}

/** Pays within this transaction: a refusal of the ledger takes everything back. */
async function postNow(tx: Tx, services: Pick<Services, 'clock'>, batchId: string): Promise<void> {
  try {
    await postWithin(tx, services, batchId);
  } catch (error) {
    const isRefusal = error instanceof LedgerError && error.answer === undefined;
    if (isRefusal) throw new AppError('funding_refused');
    throw error;
  }
}
