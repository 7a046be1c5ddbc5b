import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { payWords } from '#contract/funding.ts';
import { instalmentFrom } from '#contract/recovery.ts';
import { recovery } from '#contract/things/recovery.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { awaitInOrder } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Posting } from '#server/modules/ledger/index.ts';
import { lineReference } from '../rules.ts';
import type { ClaimedLine, LockedBatch } from '../claim-lines.ts';

/** An instalment of a recovery that is taken with the payment of a line. */
export interface Instalment {
  id: string;
  transactionId: string;
  recoveryId: string;
  userId: string;
  lineId: string;
  /** 1, 2 ... of the line. */
  number: number;
  reference: string;
  amountMinor: bigint;
  /** Amount of the recovery that is left afterwards. */
  leftMinor: bigint;
}

interface Row {
  recoveryId: string;
  userId: string;
  lineId: string;
  lineNumber: number;
  paidMinor: bigint;
  instalmentMinor: bigint;
  percent: number;
  leftMinor: bigint;
}

/**
 * Instalments to take with the payment of those lines, which are in the order of their numbers. Locks their recoveries
 * until the transaction ends, so that none ends or takes another instalment. Several recoveries of a person
 * take theirs one after the other, the oldest first, each no more than its share of the payment less what the earlier
 * ones take. The funding of one employee is no payroll, and nothing is taken from it.
 *
 * One statement for all lines: it begins with the recoveries that were accepted, which most payrolls have none of.
 *
 * @returns the instalments by the ids of their lines
 */
export async function planInstalments(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  now: Date,
): Promise<ReadonlyMap<string, readonly Instalment[]>> {
  const [first, last] = [lines.at(0), lines.at(-1)];
  if (first === undefined || last === undefined || batch.fundingType !== null) return new Map();
  const { rows } = await sql<Row>`
    SELECT recovery.id AS recovery_id, recovery.user_id, line.id AS line_id, line.line_number,
           line.amount_minor AS paid_minor, recovery.instalment_minor, recovery.percent,
           recovery.amount_minor - recovery.recovered_minor AS left_minor
      FROM recovery
      JOIN payroll_line AS line ON line.user_id = recovery.user_id AND line.batch_id = ${batch.id}
     WHERE recovery.status = 'accepted' AND recovery.wallet_type = ${batch.walletType}
       AND recovery.currency = ${batch.currency}
       AND line.line_number BETWEEN ${first.lineNumber} AND ${last.lineNumber}
       AND recovery.starts_on <= coalesce(${batch.payOn}::date, (
             SELECT (${now}::timestamptz AT TIME ZONE time_zone)::date FROM ledger_calendar))
     ORDER BY recovery.id
       FOR NO KEY UPDATE OF recovery`.execute(tx);
  return Map.groupBy(instalmentsOf(batch, rows, lines), ({ lineId }) => lineId);
}

/** The instalments of recoveries in their order, with the lines that are paid. */
function instalmentsOf(
  batch: LockedBatch,
  rows: readonly Row[],
  lines: readonly ClaimedLine[],
): Instalment[] {
  if (rows.length === 0) return [];
  const paid = new Set(lines.map(({ id }) => id));
  const taken = new Map<string, Instalment[]>();
  for (const { paidMinor, lineNumber, ...row } of rows) {
    if (!paid.has(row.lineId)) continue;
    const earlier = taken.get(row.lineId) ?? [];
    const takenMinor = earlier.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const amountMinor = instalmentFrom(row, { amountMinor: paidMinor, takenMinor });
    if (amountMinor === 0n) continue;
    const number = earlier.length + 1;
    const { recoveryId, userId, lineId } = row;
    taken.set(lineId, [
      ...earlier,
      {
        id: newId(),
        transactionId: newId(),
        recoveryId,
        userId,
        lineId,
        number,
        amountMinor,
        reference: `${lineReference(batch, lineNumber)}-A${number}`,
        leftMinor: row.leftMinor - amountMinor,
      },
    ]);
  }
  return [...taken.values()].flat();
}

/** The posting of an instalment, from the wallet of its line to payroll funding. */
export function instalmentPosting(
  { transactionId, reference, lineId, amountMinor }: Instalment,
  {
    batch,
    fundingAccountId,
    ledgerAccountId,
  }: { batch: LockedBatch; fundingAccountId: string; ledgerAccountId: string },
): Posting {
  return {
    id: transactionId,
    kind: 'recovery',
    reference,
    description: `Recovered from ${batch.description}`,
    actorId: null,
    subjectId: lineId,
    entries: [
      { accountId: ledgerAccountId, amountMinor: -amountMinor },
      { accountId: fundingAccountId, amountMinor },
    ],
  };
}

/** Keeps instalments with what is recovered by them. A recovery without a rest is finished. */
export async function saveInstalments(
  tx: Tx,
  instalments: readonly Instalment[],
  now: Date,
): Promise<void> {
  if (instalments.length === 0) return;
  await awaitInOrder([
    tx
      .insertInto('recoveryInstalment')
      .values(
        instalments.map(({ id, transactionId, recoveryId, lineId, number, amountMinor }) => ({
          id,
          recoveryId,
          lineId,
          number,
          amountMinor,
          takenAt: now,
          ledgerTransactionId: transactionId,
        })),
      )
      .execute(),
    sql`
      UPDATE recovery
         SET recovered_minor = recovered_minor + taken.minor, updated_at = ${now},
             status = CASE WHEN recovered_minor + taken.minor = amount_minor
                           THEN 'finished' ELSE status END,
             moved_at = CASE WHEN recovered_minor + taken.minor = amount_minor
                             THEN ${now}::timestamptz ELSE moved_at END,
             moved_by = CASE WHEN recovered_minor + taken.minor = amount_minor
                             THEN NULL ELSE moved_by END
        FROM unnest(${instalments.map(({ recoveryId }) => recoveryId)}::uuid[],
                    ${instalments.map(({ amountMinor }) => amountMinor.toString())}::bigint[])
               AS taken (id, minor)
       WHERE recovery.id = taken.id`.execute(tx),
  ]);
}

/**
 * Records instalments and notifies the people. Called when the ledger has taken them, because records stay where a part
 * of a chunk is posted again.
 */
export function recordInstalments(
  tx: Tx,
  batch: Pick<LockedBatch, 'currency' | 'description' | 'walletType'>,
  instalments: readonly Instalment[],
  now: Date,
): void {
  for (const one of instalments) {
    journal(tx, { actor: 'system' }, recovery, one.leftMinor === 0n ? 'finish' : 'take', {
      id: one.recoveryId,
      userId: one.userId,
      at: now,
      details: instalmentFacts(one, batch.currency),
      words: {
        amount: formatMoney(money(one.amountMinor, batch.currency)),
        left: formatMoney(money(one.leftMinor, batch.currency)),
        ...payOf(batch),
      },
    });
  }
}

/** Facts of an instalment that its record states, and verification compares. */
export function instalmentFacts(
  {
    id,
    lineId,
    reference,
    transactionId,
    amountMinor,
  }: Pick<Instalment, 'id' | 'lineId' | 'reference' | 'transactionId' | 'amountMinor'>,
  currency: string,
) {
  return {
    instalmentId: id,
    lineId,
    reference,
    transactionId,
    currency,
    amountMinor: amountMinor.toString(),
  };
}

/** Words of a payroll and its wallet in a notice. */
export function payOf({
  description,
  walletType,
}: {
  description: string;
  walletType: WalletType;
}) {
  return { pay: payWords(null, description), wallet: WALLET_LABELS[walletType] };
}
