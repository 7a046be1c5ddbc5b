import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { MOST_MICRO_DEPOSIT_MINOR } from '#contract/bank-accounts.ts';
import type { Currency } from '#contract/money.ts';
import { nextReferences } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { invariant } from '#server/lib/errors.ts';
import { IN_TRANSIT, VERIFICATION } from '#server/modules/acts/index.ts';
import { ensureSystemAccount, post, reverseAll } from '#server/modules/ledger/index.ts';
import type { PostedTransaction } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import type { ItemIds } from './items.ts';

/** Two different amounts of 1 to 99 minor units; all pairs are equally likely. */
export function drawAmounts(): [bigint, bigint] {
  const first = randomInt(1, MOST_MICRO_DEPOSIT_MINOR + 1);
  const other = randomInt(1, MOST_MICRO_DEPOSIT_MINOR);
  return [BigInt(first), BigInt(other < first ? other : other + 1)];
}

/** Items of a file that are posted together. */
interface Chunk {
  file: { id: string; number: number; currency: Currency };
  items: readonly (ItemIds & { traceNumber: string })[];
}

/** A live deposit of a file, its row locked. */
interface Deposit {
  id: string;
  amountMinor: bigint;
}

/** Opens the account that deposits are paid from, if there are any: it is locked with those of all payments of the chunk. */
export async function openVerificationAccount(
  tx: Tx,
  { currency }: { currency: Currency },
  items: readonly ItemIds[],
): Promise<void> {
  if (items.every(({ bankAccountId }) => bankAccountId === null)) return;
  await ensureSystemAccount(tx, VERIFICATION, currency);
  await ensureSystemAccount(tx, IN_TRANSIT, currency);
}

type Clocked = Pick<Services, 'clock'>;

/**
 * Posts the micro-deposits of a file that is sent, from the company’s account for them into payouts in transit. It is the
 * company's money: no wallet has less.
 */
export function sendMicroDeposits(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  chunk: Chunk,
): Promise<void> {
  const way = { kind: 'micro_deposit', from: VERIFICATION, to: IN_TRANSIT } as const;
  return postDeposits(tx, services, by, { ...chunk, ...way, column: 'ledgerTransactionId' });
}

/** Clears payouts in transit of the micro-deposits of a file that the bank has paid, apart from those that came back. */
export function settleMicroDeposits(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  chunk: Chunk,
): Promise<void> {
  const way = { kind: 'settlement', from: IN_TRANSIT, to: 'payout_clearing' } as const;
  return postDeposits(tx, services, by, { ...chunk, ...way, column: 'settlementId' });
}

interface Way {
  kind: string;
  from: string;
  to: string;
  /** Column of an item that names the posting. */
  column: 'ledgerTransactionId' | 'settlementId';
}

async function postDeposits(
  tx: Tx,
  { clock }: Clocked,
  by: AuditContext,
  { file, items, kind, from, to, column }: Chunk & Way,
): Promise<void> {
  const traces = items.flatMap(({ bankAccountId, traceNumber }) =>
    bankAccountId === null ? [] : [traceNumber],
  );
  if (traces.length === 0) return;
  const { rows: deposits } = await sql<Deposit>`
    SELECT id, amount_minor FROM payout_file_item
     WHERE file_id = ${file.id} AND trace_number = ANY (${traces}::text[]) AND deposit_number IS NOT NULL AND is_live
     ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  if (deposits.length === 0) return;
  const fromId = await ensureSystemAccount(tx, from, file.currency);
  const toId = await ensureSystemAccount(tx, to, file.currency);
  const references = await nextReferences(tx, deposits.length);
  const name = `Payout file ${fileNumber(file.number)}`;
  const postings = deposits.map(({ id, amountMinor }, index) => ({
    kind,
    reference: invariant(references[index], 'each deposit has a reference'),
    description: kind === 'settlement' ? `${name} settled` : `${name}, micro-deposit`,
    // None of a file that is settled by a statement line.
    actorId: typeof by.actor === 'object' ? by.actor.id : null,
    subjectId: id,
    entries: [
      { accountId: fromId, amountMinor: -amountMinor },
      { accountId: toId, amountMinor },
    ],
  }));
  const posted = await post(tx, postings, { effectiveAt: clock.now() });
  await keepPostings(tx, column, deposits, posted);
}

async function keepPostings(
  tx: Tx,
  column: Way['column'],
  deposits: readonly Deposit[],
  posted: readonly PostedTransaction[],
): Promise<void> {
  const named = deposits.map(({ id }, index) => ({ item: id, posting: posted[index]?.id }));
  await sql`
    UPDATE payout_file_item SET ${sql.ref(column)} = one.posting
      FROM json_to_recordset(${JSON.stringify(named)}::json) AS one (item uuid, posting uuid)
     WHERE payout_file_item.id = one.item`.execute(tx);
}

/**
 * Posts a micro-deposit back that the bank sent back: its settlement first, if there was one. Its item, which is locked, has
 * left its file.
 *
 * @returns id of the reversal of its posting
 */
export async function takeBackMicroDeposit(
  tx: Tx,
  by: CommandContext,
  { itemId, at, code }: { itemId: string; at: Date; code: string },
): Promise<string> {
  const item = await tx
    .updateTable('payoutFileItem')
    .set({ isLive: false })
    .where('id', '=', itemId)
    .returning(['ledgerTransactionId', 'settlementId'])
    .executeTakeFirstOrThrow();
  const sent = invariant(item.ledgerTransactionId, `${itemId} was sent without a posting`);
  const undone = item.settlementId === null ? [sent] : [item.settlementId, sent];
  const references = await nextReferences(tx, undone.length);
  const posted = await reverseAll(
    tx,
    undone.map((transactionId, index) => ({
      transactionId,
      description: `Micro-deposit returned by the bank, ${code}`,
      actorId: personOf(by).actor.id,
      reference: invariant(references[index], 'each reversal has a reference'),
    })),
    { effectiveAt: at },
  );
  return invariant(posted.at(-1), 'a reversal posted nothing').id;
}
