import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { alreadyPaid, checkSeen, periodNow } from './already-paid.ts';
import type { PaidSummary } from './already-paid.ts';
import { decideLines, PAYABLE } from './decide-lines.ts';
import { comparisonOf } from './last-payroll.ts';
import { checkLimits } from './order.ts';
import type { PayrollOrder } from './order.ts';
import { beginConfirming, makeBatch } from './send-payroll.ts';
import type { Confirmed } from './send-payroll.ts';

type Settings = Confirmed['settings'];

/** Orders of one payroll, each for another type of wallet and of the same day and department. */
interface Orders {
  orders: readonly PayrollOrder[];
  settings: Settings;
  now: Date;
}

/** SHA-256, hex, over the previews of the orders of one payroll, each with its type of wallet. */
export function hashTogether(
  previews: readonly { walletType: WalletType; hash: string }[],
): string {
  const parts = previews.map(({ walletType, hash }) => [walletType, hash]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** SQL of an order's `summary` and `paid_summary` as CTEs, decided now. */
async function decidedNow(
  reader: Reader,
  order: PayrollOrder,
  { settings, now }: Omit<Orders, 'orders'>,
): Promise<RawBuilder<unknown>> {
  const comparison = await comparisonOf(reader, settings, order, now);
  return decideLines(order, periodNow(settings, now), comparison);
}

interface PaidTogether extends PaidSummary {
  /** Paid to the one who gets most from all orders, in minor units, and their name; null where nobody is paid. */
  mostMinor: bigint;
  mostName: string | null;
  /** People who are paid by at least one order. */
  people: number;
}

/** Sums that the orders of one payroll pay people together, and that these people were paid in the pay period before. */
export async function readPaidTogether(
  reader: Reader,
  { orders, ...decided }: Orders,
): Promise<PaidTogether> {
  const each: RawBuilder<unknown>[] = [];
  for (const order of orders) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const tables = await decidedNow(reader, order, decided);
    each.push(sql`SELECT user_id, amount_minor FROM (
      WITH ${tables} SELECT user_id, amount_minor FROM decided WHERE wallet_id IS NOT NULL) AS one`);
  }
  const people = sql`SELECT user_id FROM person_paid`;
  const { rows } = await sql<PaidTogether>`
    WITH person_paid AS MATERIALIZED (
      SELECT user_id, sum(amount_minor) AS minor FROM (${sql.join(each, sql` UNION ALL `)}) AS payable
       GROUP BY user_id
    ), ${alreadyPaid(people, periodNow(decided.settings, decided.now))}
    SELECT paid_summary.*, (SELECT count(*)::integer FROM person_paid) AS people,
           coalesce(least(most.minor, 9223372036854775807), 0)::bigint AS most_minor, most.name AS most_name
      FROM paid_summary LEFT JOIN (
        SELECT person_paid.minor, person.name FROM person_paid
          JOIN app_user AS person ON person.id = person_paid.user_id
         ORDER BY person_paid.minor DESC, person.id LIMIT 1) AS most ON true`.execute(reader);
  return invariant(rows[0], 'an aggregate without a row');
}

interface DecidedOrder extends Pick<PaidSummary, 'paidHash'> {
  hash: Buffer;
  totalMinor: bigint;
}

async function decide(
  tx: Tx,
  order: PayrollOrder,
  decided: Omit<Orders, 'orders'>,
): Promise<DecidedOrder> {
  const tables = await decidedNow(tx, order, decided);
  const { rows } = await sql<DecidedOrder>`
    WITH ${tables}, ${alreadyPaid(PAYABLE, periodNow(decided.settings, decided.now))}
    SELECT summary.hash, total_minor, paid_hash FROM summary, paid_summary`.execute(tx);
  return invariant(rows[0], 'an aggregate without a row');
}

/**
 * Confirms the orders of one payroll: a batch for each, all of them or none. What was reviewed of each is decided again
 * by the statement that makes its batch. Limits, and the rule about a second person, count the sum of all batches.
 *
 * @param confirmed each with its order, who changed its amounts, and facts for its record
 * @param seen hashes of the preview of all, in hex
 * @returns the ids of the batches, in the order of the orders
 * @throws {AppError} as `sendPayroll`
 */
export async function sendTogether(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  confirmed: readonly Pick<Confirmed, 'order' | 'amountsBy' | 'details'>[],
  { settings, previewHash, alreadyPaidHash }: Omit<Confirmed, 'order'>,
): Promise<string[]> {
  const now = services.clock.now();
  await beginConfirming(tx);
  const threshold = await readThreshold(tx, settings, 'payroll');
  const decided: DecidedOrder[] = [];
  for (const { order } of confirmed) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    decided.push(await decide(tx, order, { settings, now }));
  }
  const orders = confirmed.map(({ order }) => order);
  const hashes = decided.map(({ hash }, at) => ({
    walletType: invariant(orders[at], 'an order for each').walletType,
    hash: hash.toString('hex'),
  }));
  if (hashTogether(hashes) !== previewHash) throw new AppError('preview_stale');
  const paid = await readPaidTogether(tx, { orders, settings, now });
  checkSeen(paid, alreadyPaidHash);

  const totalMinor = decided.reduce((sum, one) => sum + one.totalMinor, 0n);
  const needsApproval = threshold !== null && totalMinor >= threshold;
  const ids = confirmed.map(() => newId());
  const together = { id: ids[0] ?? '', minor: totalMinor };
  let madeMinor = 0n;
  for (const [at, one] of confirmed.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const made = await makeBatch(tx, services, by, {
      ...one,
      settings,
      id: ids[at] ?? '',
      previewHash: hashes[at]?.hash ?? '',
      alreadyPaidHash: decided[at]?.paidHash ?? undefined,
      approvalFromMinor: needsApproval ? 0n : threshold,
      together: { ...together, made: ids.slice(0, at) },
    });
    madeMinor += made.totalMinor;
  }
  // Both were decided by a snapshot of their own.
  if (madeMinor !== totalMinor) throw new AppError('preview_stale');
  const currency = settings.currency;
  checkLimits({ mostMinor: await readMostOf(tx, ids), totalMinor, currency }, settings);
  return ids;
}

/** Minor units that the lines of those batches pay to the one who gets most from all of them. */
export async function readMostOf(tx: Tx, batchIds: readonly string[]): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    SELECT coalesce(max(minor), 0)::bigint AS minor
      FROM (SELECT sum(amount_minor) AS minor FROM payroll_line
             WHERE batch_id = ANY (${batchIds}::uuid[]) AND wallet_id IS NOT NULL
             GROUP BY user_id) AS person`.execute(tx);
  return rows[0]?.minor ?? 0n;
}
