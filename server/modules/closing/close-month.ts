import { monthName } from '#contract/closing.ts';
import { allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readHead } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import type { JournalLine } from './journal.ts';
import { findMonth, readMonth } from './months.ts';
import type { MonthState } from './months.ts';

/** A month of a million entries is counted within seconds. Postings wait for it. */
const MOST_MS = 120_000;

/**
 * Closes a month: the database refuses every posting that would be effective in it. The month is read before, for what is
 * kept of it, and again under the locks that the row takes, so that nothing came between.
 *
 * @throws {AppError} `month_not_found`; `month_wrong_status` for one that is not over, not the next or closed;
 *   `month_blocked` with the first task; `conflict` where it is not as the admin saw it
 */
export async function closeMonth(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { month: asked, hash }: { month: string; hash: string },
): Promise<void> {
  await allowStatements(tx, MOST_MS);
  const state = await readMonth(tx, await findMonth(tx, services, asked));
  checkReady(state, hash);
  const { owedMinor, bank } = state.position;
  const at = services.clock.now();
  const id = newId(at.getTime());
  const head = await readHead(tx);
  const closed = await insertClosing(tx, asked, {
    id,
    month: state.month.month,
    closedBy: by.actor.id,
    closedAt: at,
    owedMinor,
    bankMinor: bank?.bankMinor ?? null,
    wayMinor: bank?.wayMinor ?? null,
    rootHeight: head?.height ?? null,
    root: head === undefined ? null : Buffer.from(head.root, 'hex'),
  });
  const locked = await readMonth(tx, { ...state.month, closing: null });
  checkReady(locked, hash);
  if (locked.lines.length > 0) {
    await tx
      .insertInto('monthJournalLine')
      .values(locked.lines.map((line) => ({ closingId: id, ...line })))
      .execute();
  }
  record(tx, by, 'month.closed', {
    id,
    at,
    details: {
      month: asked,
      hash,
      entries: String(closed.entryCount),
      debitMinor: String(closed.debitMinor),
      contentHash: closed.contentHash.toString('hex'),
      owedMinor: String(owedMinor),
      journal: locked.lines.map(lineWords),
      ...(bank && { bankMinor: String(bank.bankMinor), wayMinor: String(bank.wayMinor) }),
      ...(head && { rootHeight: String(head.height), root: head.root }),
    },
  });
}

/** Line of the journal as verification compares it. */
function lineWords(line: JournalLine): string {
  const { kind, account, department, debitMinor, creditMinor, count } = line;
  return [kind, account, department, debitMinor, creditMinor, count].join('|');
}

function checkReady({ month, checks, hash }: MonthState, seen: string): void {
  const name = monthName(month.month);
  if (month.status !== 'over' || month.former !== null) {
    throw new AppError('month_wrong_status', { month: name, done: 'closed' });
  }
  const open = checks.find(({ isDone }) => !isDone);
  if (open !== undefined) throw new AppError('month_blocked', { month: name, task: open.title });
  if (hash !== seen) throw new AppError('conflict');
}

interface NewClosing {
  id: string;
  month: string;
  closedBy: string;
  closedAt: Date;
  owedMinor: bigint;
  bankMinor: bigint | null;
  wayMinor: bigint | null;
  rootHeight: bigint | null;
  root: Buffer | null;
}

/** SQLSTATE by which the database refuses a month that is not the next one, or not over. */
const NOT_NOW = 'PL016';

/** Writes the row, by which the database locks the ledger and counts the month. */
async function insertClosing(tx: Tx, month: string, closing: NewClosing) {
  try {
    return await tx
      .insertInto('monthClosing')
      // The database writes these itself.
      .values({
        ...closing,
        beginsAt: closing.closedAt,
        endsAt: closing.closedAt,
        entryCount: 0n,
        debitMinor: 0n,
        contentHash: Buffer.alloc(32),
      })
      .returning(['entryCount', 'debitMinor', 'contentHash'])
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NOT_NOW)) throw error;
    throw new AppError('month_wrong_status', { month: monthName(month), done: 'closed' });
  }
}
