import { sql } from 'kysely';
import { bankAccount } from '#contract/things/bank-account.ts';
import { allowStatements, withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { inChunks } from '#server/lib/in-chunks.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { actOnMany, lockToSend } from '#server/modules/acts/index.ts';
import { bankLabel, selectBankAccounts } from '#server/modules/bank-accounts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_PAYMENTS, CHUNK_TIMEOUT_MS, deciderOf } from './chunks.ts';
import { lockRequests, selectLiveItems } from './items.ts';
import type { ItemIds, NextItem } from './items.ts';
import {
  openVerificationAccount,
  sendMicroDeposits,
  settleMicroDeposits,
} from './micro-deposits.ts';
import { hasRefused, keepRefused, refusedItems } from './refused-items.ts';
import { postApart } from './refused.ts';
import type { Refused } from './refused.ts';

type Clocked = Pick<Services, 'clock'>;
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lockFile>>>;

/** Locks a payout file until the transaction ends; undefined if there is none. */
export function lockFile(tx: Tx, id: string) {
  return tx
    .selectFrom('payoutFile')
    .selectAll()
    .select('createdBy as userId')
    .select(sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeDay'))
    .select(sql<string | null>`to_char(left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Posts what is left of a file that was sent or settled, a chunk of payments in each transaction. Safe to call at any time,
 * twice concurrently, and again after a crash: the file's row is locked while a chunk is posted, and says how far it came.
 * Without anything to post it does nothing.
 *
 * @param options.signal stops it after the chunk in progress; the sweep takes it up again
 */
export async function postPayoutFile(
  db: Db,
  services: Clocked,
  fileId: string,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  const post = async (tx: Tx) => {
    const file = await lockFile(tx, fileId);
    if (file === undefined || file.unpostedAfter === null) return false;
    // Nobody moved one that a statement line settled.
    return postChunk(tx, services, await deciderOf(tx, file.movedBy), file);
  };
  await inChunks(() => withTx(db, post), options);
}

/** The job `post-payout-file`: posts the file named in its payload. Safe to run twice. */
export async function postPayoutFileJob(
  db: Db,
  services: Clocked,
  { fileId }: Readonly<Record<string, string>>,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  await postPayoutFile(db, services, invariant(fileId, 'post-payout-file needs a fileId'), options);
}

/**
 * Asks for the job of every file of which payments are still to be posted: a killed process left it. Called at the start
 * and each minute.
 *
 * @returns number of files
 */
export async function sweepPayoutFiles(db: Db): Promise<number> {
  return withTx(db, async (tx) => {
    const left = await tx
      .selectFrom('payoutFile')
      .select('id')
      .where('unpostedAfter', 'is not', null)
      .execute();
    for (const { id } of left)
      enqueueJob(tx, { name: 'post-payout-file', payload: { fileId: id } });
    return left.length;
  });
}

/** Posts the first payments with the decision itself, which is all of most files, and asks for the job of the others. */
export async function postFirst(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  fileId: string,
): Promise<void> {
  const file = invariant(await lockFile(tx, fileId), 'a locked file is gone');
  if (await postChunk(tx, services, by, file)) {
    enqueueJob(tx, { name: 'post-payout-file', payload: { fileId } });
  }
}

/**
 * Posts the next payments of a locked file or, after the last one, tries those again that were refused. A payment that is refused
 * holds up no other one, and its file is not settled before it is posted.
 *
 * @returns true if there are more that were not tried yet
 */
async function postChunk(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  file: LockedFile,
): Promise<boolean> {
  await allowStatements(tx, CHUNK_TIMEOUT_MS);
  const after = invariant(file.unpostedAfter, `payout file ${file.id} has nothing to post`);
  const found = await nextItems(tx, file.id, after);
  const isRest = found.length === 0;
  const items = isRest
    ? await refusedItems(tx, file.id, CHUNK_PAYMENTS)
    : found.slice(0, CHUNK_PAYMENTS);
  const post = file.status === 'sent' ? sendItems : settleItems;
  const refused = await post(tx, services, by, { file, items });
  if (isRest || refused.length > 0) await keepRefused(tx, services, { file, items, refused });
  const hasMore = found.length > CHUNK_PAYMENTS;
  const last = isRest ? after : items.at(-1)?.traceNumber;
  const isPosted = !hasMore && !(await hasRefused(tx, file.id));
  await tx
    .updateTable('payoutFile')
    .set({ unpostedAfter: isPosted ? null : last })
    .where('id', '=', file.id)
    .execute();
  publish(tx, { topic: 'payouts', userId: null });
  return hasMore;
}

/** The next live items of a file, and one more, if there is one. */
export function nextItems(reader: Reader, fileId: string, after: string): Promise<NextItem[]> {
  return selectLiveItems(reader, fileId)
    .where('traceNumber', '>', after)
    .orderBy('traceNumber')
    .limit(CHUNK_PAYMENTS + 1)
    .execute();
}

interface Chunk {
  file: LockedFile;
  items: readonly NextItem[];
}

/**
 * Captures the hold of each payment into payouts in transit, posts each micro-deposit, and records prenotes.
 *
 * @returns the payments that were refused
 */
async function sendItems(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  { file, items }: Chunk,
): Promise<Refused[]> {
  const requests = await lockRequests(tx, {
    withdrawal: among(items, 'withdrawalId'),
    bill: among(items, 'billId'),
    bank_account: among(items, 'bankAccountId'),
  });
  await openVerificationAccount(tx, file, items);
  await lockToSend(
    tx,
    requests.flatMap(({ walletId }) => walletId ?? []),
  );
  return postApart(tx, items, async (some) => {
    await actOnMany(tx, services, by, withdrawals, 'sendInFile', {
      ids: idsOf(some, 'withdrawalId'),
    });
    await actOnMany(tx, services, by, bills, 'sendInFile', { ids: idsOf(some, 'billId') });
    await sendMicroDeposits(tx, services, by, { file, items: some });
    await recordProofs(tx, services, by, { file, items: some });
  });
}

/**
 * Completes the payments that are still on their way.
 *
 * @returns the payments that were refused
 */
async function settleItems(
  tx: Tx,
  services: Clocked,
  by: AuditContext,
  { file, items }: Chunk,
): Promise<Refused[]> {
  const { leftBankDay, bankReference } = file;
  const name = file.movedBy === null ? 'settleByLine' : 'settle';
  const waiting = await lockInTransit(tx, items);
  const isWaiting = new Set(
    waiting.flatMap(({ withdrawalId, billId }) => withdrawalId ?? billId ?? []),
  );
  const completion = {
    leftBankOn: invariant(leftBankDay, 'a file is settled on a day'),
    bankReference: bankReference ?? '',
  };
  return postApart(tx, items, async (some) => {
    const ids = (column: 'withdrawalId' | 'billId') =>
      idsOf(some, column).filter((id) => isWaiting.has(id));
    const given = { ...completion, ids: ids('withdrawalId') };
    await actOnMany(tx, services, by, withdrawals, name, given);
    await actOnMany(tx, services, by, bills, name, { ...completion, ids: ids('billId') });
    await settleMicroDeposits(tx, services, by, { file, items: some });
  });
}

/** Locks the payments that are still on their way. One that came back while this waits for its row is left out. */
export function lockInTransit(tx: Tx, items: readonly ItemIds[]): ReturnType<typeof lockRequests> {
  return lockRequests(tx, {
    withdrawal: sql`status = 'processing' AND ${among(items, 'withdrawalId')}`,
    bill: sql`status = 'sent' AND ${among(items, 'billId')}`,
    bank_account: sql`false`,
  });
}

/**
 * Records the prenotes and the pairs of micro-deposits of a chunk, of accounts that are still as they were when the file was
 * made. Owners are notified of deposits.
 */
async function recordProofs(
  tx: Tx,
  { clock }: Clocked,
  by: AuditContext,
  { file, items }: Chunk,
): Promise<void> {
  const ids = idsOf(items, 'bankAccountId');
  if (ids.length === 0) return;
  const tested = await selectBankAccounts(tx)
    .innerJoin('payoutFileItem as item', 'item.bankAccountId', 'bankAccount.id')
    .select(['item.id as itemId', 'item.traceNumber', 'item.depositNumber'])
    .select(sql<string>`to_char(item.effective_on, 'YYYY-MM-DD')`.as('effectiveOn'))
    .where('item.fileId', '=', file.id)
    .where('item.isLive', '=', true)
    .where(sql<boolean>`bank_account.id = ANY (${ids}::uuid[])`)
    // The first of two deposits, which may be in another chunk than the second.
    .where(sql<boolean>`coalesce(item.deposit_number, 1) = 1`)
    .where(sql<boolean>`item.trace_number = ANY (${items.map((one) => one.traceNumber)}::text[])`)
    .whereRef('item.accountAsOf', '=', 'bankAccount.submittedAt')
    .where('bankAccount.status', '=', 'pending')
    .orderBy('item.traceNumber')
    .execute();
  const at = clock.now();
  for (const account of tested) {
    const { id, userId, last4, itemId, traceNumber, effectiveOn, depositNumber } = account;
    journal(tx, by, bankAccount, depositNumber === null ? 'test' : 'deposit', {
      id,
      userId,
      at,
      details: {
        last4,
        file: fileNumber(file.number),
        item: itemId,
        trace: traceNumber,
        effectiveOn,
      },
      words: { account: bankLabel(account), day: writeDay(effectiveOn) },
    });
  }
}

function idsOf(items: readonly ItemIds[], column: keyof ItemIds): string[] {
  return items.map((item) => item[column]).filter((id) => id !== null);
}

function among(items: readonly ItemIds[], column: keyof ItemIds) {
  return sql`id = ANY (${idsOf(items, column)}::uuid[])`;
}
