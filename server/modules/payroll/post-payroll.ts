import type { Db, Tx } from '#server/db/tx.ts';
import { awaitInOrder, commitSoon, withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { invariant } from '#server/lib/errors.ts';
import { inChunks } from '#server/lib/in-chunks.ts';
import { silentLog } from '#server/lib/log.ts';
import type { Log } from '#server/lib/log.ts';
import { ensureSystemAccount, LedgerError } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { claimAhead } from './claim-ahead.ts';
import type { Claimed, ClaimedAhead } from './claim-ahead.ts';
import { claimLines, lockBatch } from './claim-lines.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';
import { finishBatch } from './finish-batch.ts';
import { isNotifiedLater, mailRest, notifyRange } from './notify-paid.ts';
import type { Range } from './notify-paid.ts';
import { markFailed, saveProgress } from './mark-lines.ts';
import { payApart, payLines } from './pay-lines.ts';
import type { Chunk } from './pay-lines.ts';
import { planInstalments } from './recoveries/take-instalments.ts';

/**
 * Lines in one transaction. Small enough that a person whose account is in the chunk waits some
 * tenths of a second at most, large enough that the cost of a commit is spread thin.
 */
const CHUNK_LINES = 1_000;
/**
 * Lines whose mails are asked for in one transaction. A batch of more asks for them after it is finished, and notifies people
 * next to the posting and not in it (docs/decisions/088).
 */
const MAILED_LINES = 10_000;

export interface PostPayrollOptions {
  /** Number of lines to post per transaction. */
  chunkLines?: number;
  /** Stops the posting after the chunk in progress; the sweep takes it up again. */
  signal?: AbortSignal;
  /** Number of lines whose mails are asked for per transaction. */
  mailedLines?: number;
  /** Warned of the notices of a chunk that could not be written next to the posting. */
  log?: Log;
}

/**
 * Pays a confirmed batch, a chunk of lines per transaction, until all are decided, and asks for the mails that are left. Safe to call at
 * any time, twice concurrently, and again after a crash: the batch's row is locked while a chunk is
 * posted, what a chunk did is committed whole or not at all, and a line's reference is unique in
 * the ledger. Pays nobody when the batch does not exist, is not due, is finished,
 * or is being posted by another process; and early when asked to stop, between two chunks.
 *
 * A line that the ledger refuses fails alone, with its reason; anything else that goes wrong is
 * thrown, with nothing of its chunk done.
 */
export async function postPayroll(
  db: Db,
  services: Pick<Services, 'clock'>,
  batchId: string,
  {
    chunkLines = CHUNK_LINES,
    mailedLines = MAILED_LINES,
    log = silentLog,
    signal,
  }: PostPayrollOptions = {},
): Promise<void> {
  const post = (pay: Pay) => (tx: Tx, claimed?: Claimed) =>
    postChunk(tx, services, { batchId, chunkLines, mailedLines, pay, claimed });
  let notifying = Promise.resolve();
  let ahead = null as ClaimedAhead<PostedChunk> | null;
  const postNext = async () => {
    const current = ahead;
    ahead = current && claimAfter(db, await current.claimed, chunkLines);
    const { notice, rest } = await postOrPart(
      () => current?.finish(post(payTogether)) ?? withTx(db, post(payTogether)),
      () => withTx(db, post(payApart)),
    );
    await notifying;
    // Nobody waits for their pay if others cannot be notified. `mailRest` makes up for it; if it fails as well, so does the job,
    // which is tried again and named on System Health.
    if (notice !== null) notifying = notifyChunk(db, notice, log);
    if (rest !== null) ahead ??= claimAhead(db, rest, chunkLines);
    return rest !== null;
  };
  try {
    await inChunks(postNext, { signal });
  } finally {
    await Promise.all([ahead?.drop(), notifying]);
  }
  const now = services.clock.now();
  await inChunks(() => withTx(db, (tx) => mailRest(tx, batchId, { lines: mailedLines, now })), {
    signal,
  });
}

/** Claims the lines after those, if there may be any, while those are paid. */
function claimAfter(
  db: Db,
  { batch, lines }: Claimed,
  chunkLines: number,
): ClaimedAhead<PostedChunk> | null {
  const last = lines.at(-1);
  if (last === undefined || lines.length < chunkLines) return null;
  return claimAhead(db, { ...batch, postedThrough: last.lineNumber }, chunkLines);
}

/** People who are notified of a chunk that was posted. */
interface Notice {
  batch: LockedBatch;
  range: Range;
  now: Date;
}

/** Notifies people of a chunk while the next one is posted; writes a failure to the log. */
async function notifyChunk(db: Db, { batch, range, now }: Notice, log: Log): Promise<void> {
  try {
    await withTx(db, async (tx) => {
      await commitSoon(tx);
      await notifyRange(tx, batch, range, now);
    });
  } catch (error) {
    const msg = 'Notices of a payroll failed; they are written before its mails';
    log.warn({ msg, batchId: batch.id, ...range, err: error });
  }
}

/**
 * Pays a batch whose only line was just written by this transaction, within it.
 *
 * @throws {LedgerError} when the ledger refuses the line
 */
export async function postWithin(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  batchId: string,
): Promise<void> {
  const { rest } = await postChunk(tx, services, {
    batchId,
    chunkLines: 2,
    mailedLines: MAILED_LINES,
    pay: payTogether,
  });
  invariant(rest === null || undefined, 'a batch of one line has no rest');
}

/** Pays lines and answers those that the ledger refused, each with its problem. */
type Pay = (tx: Tx, chunk: Chunk, lines: readonly ClaimedLine[]) => Promise<ClaimedLine[]>;

/**
 * All lines in one statement, which is what almost always succeeds and costs no savepoint. When the ledger
 * refuses, the whole chunk is posted again with its lines apart.
 */
async function postOrPart(
  together: () => Promise<PostedChunk>,
  apart: () => Promise<PostedChunk>,
): Promise<PostedChunk> {
  try {
    return await together();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return apart();
  }
}

export async function payTogether(
  tx: Tx,
  chunk: Chunk,
  lines: readonly ClaimedLine[],
): Promise<ClaimedLine[]> {
  await payLines(tx, chunk, lines);
  return [];
}

interface PostChunkInput {
  batchId: string;
  chunkLines: number;
  mailedLines: number;
  pay: Pay;
  /** Lines that this transaction has claimed before it locked the batch. */
  claimed?: Claimed | undefined;
}

export interface PostedChunk {
  /** People to be notified when it is committed; null: nobody, or they were notified with it. */
  notice: Notice | null;
  /** The batch with the lines that are left; null if there are none for this poster. */
  rest: LockedBatch | null;
}

/** Posts the next lines. */
export async function postChunk(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  { batchId, chunkLines, mailedLines, pay, claimed }: PostChunkInput,
): Promise<PostedChunk> {
  const now = services.clock.now();
  const batch = await lockBatch(tx, batchId, now);
  if (batch === undefined) return { notice: null, rest: null };

  const isNext = claimed?.batch.postedThrough === batch.postedThrough;
  const [lines, fundingAccountId] = await awaitInOrder([
    // The next lines, where another poster has paid those in the meantime.
    isNext ? Promise.resolve(claimed.lines) : claimLines(tx, batch, chunkLines),
    ensureSystemAccount(tx, 'payroll_funding', batch.currency),
  ]);
  const payable = lines.filter((line) => line.problem === null);
  const instalments = await planInstalments(tx, batch, payable, now);
  const isLater = isNotifiedLater(batch, mailedLines);
  const chunk = { batch, fundingAccountId, instalments, isNotifiedLater: isLater, now };
  const refused = await pay(tx, chunk, payable);
  const failed = [...lines.filter((line) => line.problem !== null), ...refused];
  await markFailed(tx, batch, failed);
  const isLast = lines.length < chunkLines;
  const postedThrough = isLast ? batch.payableCount : (lines.at(-1)?.lineNumber ?? 0);
  const progress = await saveProgress(tx, batch, {
    postedThrough,
    paidCount: lines.length - failed.length,
    paidMinor: sumOf(lines) - sumOf(failed),
    failedCount: failed.length,
    now,
  });
  if (isLast) {
    await finishBatch(tx, progress, { mailedLines, now });
  } else {
    await commitSoon(tx);
    publish(tx, { topic: 'payroll', userId: null });
  }
  const range = { after: batch.postedThrough, through: postedThrough };
  return {
    notice: isLater ? { batch, range, now } : null,
    rest: isLast ? null : { ...batch, postedThrough },
  };
}

function sumOf(lines: readonly ClaimedLine[]): bigint {
  return lines.reduce((sum, line) => sum + line.amountMinor, 0n);
}
