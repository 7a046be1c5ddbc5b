import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { refusalOfStatus } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { leftOf, recoveryColumns } from './lock-lines.ts';
import { presentLine } from './present.ts';
import type { LineRow } from './rows.ts';
import { findBatch } from './queries.ts';
import { readTerms } from './recoveries/read-recoveries.ts';
import { secondPersonRefusal } from './reverse-line.ts';
import { readLines } from './rows.ts';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

/**
 * Amount of a paid line that can be taken back now, and the refusal of more.
 *
 * @throws {AppError} `payroll_line_not_found`, also for a skipped line
 */
export async function getReversal(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  lineId: string,
  actorId: string,
): Promise<Reversible> {
  const { rows } = await sql<FundsRow>`
    SELECT line.batch_id, wallet.id AS wallet_id, wallet.type, wallet.last4,
           account.posted - account.held AS available_minor, ${recoveryColumns('line')}
      FROM payroll_line AS line
      JOIN wallet ON wallet.id = line.wallet_id
      JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE line.id = ${lineId}`.execute(reader);
  const [funds] = rows;
  if (funds === undefined) throw new AppError('payroll_line_not_found');
  const [row] = await readLines(reader, [lineId]);
  const line = invariant(row, 'a line stays');
  const batch = await findBatch(reader, funds.batchId);
  const leftMinor = leftOf({ ...line, ...funds });
  const refusal = await refusalToReverse(reader, actorId, { ...batch, ...funds, line, leftMinor });
  return {
    line: presentLine(line, batch),
    wallet: { type: funds.type, last4: funds.last4 },
    left: money(leftMinor, batch.currency),
    available: money(availableOf(funds, leftMinor), batch.currency),
    paidOut: await lastPayout(reader, { ...funds, ...batch, since: line.processedAt }),
    recovery: await readTerms(reader, services, { ...line, walletType: funds.type }),
    refusal: refusal?.message ?? null,
  };
}

interface FundsRow {
  batchId: string;
  walletId: string;
  type: WalletType;
  last4: string;
  availableMinor: bigint;
  recoveredMinor: bigint;
  deductedMinor: bigint;
  isRecovering: boolean;
}

/** Amount that the wallet can pay back: with the rest of the line, it gets what was taken from the line. */
function availableOf({ availableMinor, deductedMinor }: FundsRow, leftMinor: bigint): bigint {
  const isEnough = availableMinor + deductedMinor >= leftMinor;
  return isEnough ? availableMinor + deductedMinor : availableMinor;
}

async function refusalToReverse(
  reader: Reader,
  actorId: string,
  {
    line,
    leftMinor,
    status,
    createdBy,
    isRecovering,
  }: {
    line: LineRow;
    leftMinor: bigint;
    status: string;
    createdBy: string;
    isRecovering: boolean;
  },
): Promise<AppError | null> {
  if (line.userId === actorId) return new AppError('own_request');
  if (line.status !== 'processed') {
    return refusalOfStatus(reader, payrollLine, 'reverse', line);
  }
  if (status !== 'completed') return new AppError('payroll_not_completed');
  const second = await secondPersonRefusal(reader, actorId, { ...line, leftMinor, createdBy });
  if (second !== null) return second;
  return isRecovering ? new AppError('recovery_open') : null;
}

async function lastPayout(
  reader: Reader,
  { walletId, currency, since }: { walletId: string; currency: Currency; since: Date | null },
): Promise<Reversible['paidOut']> {
  const payout = await reader
    .selectFrom('withdrawal')
    .select(['amountMinor', 'bankName', 'bankLast4', 'requestedAt', 'status'])
    .where('walletId', '=', walletId)
    .where('requestedAt', '>=', since)
    .where('status', 'in', ['pending', 'approved', 'processing', 'completed'])
    .orderBy('requestedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (payout === undefined) return null;
  return {
    amount: money(payout.amountMinor, currency),
    to: `${payout.bankName} ••${payout.bankLast4}`,
    at: payout.requestedAt.toISOString(),
    isCompleted: payout.status === 'completed',
  };
}
