import { createHash } from 'node:crypto';
import { JOURNAL_ACCOUNT_WORDS } from '#contract/closing.ts';
import type { JournalFormat } from '#contract/closing.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CsvFile, RequestContext } from '#server/http/handlers.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { readChart, usedAccounts } from './chart.ts';
import type { Chart } from './chart.ts';
import { journalFileName, writeJournal } from './journal-files.ts';
import { findMonth, readMonth } from './months.ts';
import type { MonthState } from './months.ts';

/**
 * Writes the journal of a month for an accounting program. The first export of a closed month keeps the accounts that it was
 * mapped to, and the SHA-256 of the file; each later one is made with them again, and is the same byte for byte.
 *
 * @throws {AppError} `month_not_found`; `chart_incomplete` where an account of the journal is not mapped
 */
export async function exportJournal(
  db: Db,
  services: Pick<Services, 'clock'>,
  by: RequestContext,
  { month: asked, format }: { month: string; format: JournalFormat },
): Promise<CsvFile> {
  const state = await readMonth(db, await findMonth(db, services, asked));
  const isClosed = state.month.closing !== null;
  const text = isClosed
    ? await exportClosed(db, services, by, { state, format })
    : fileOf(state, format, await readChart(db));
  return {
    name: journalFileName(asked, isClosed, format),
    chunks: chunksOf(text),
    rows: () => text.split('\r\n').length - 2,
  };
}

async function* chunksOf(text: string): AsyncIterable<string> {
  yield text;
}

function fileOf({ month, lines }: MonthState, format: JournalFormat, chart: Chart): string {
  const missing = usedAccounts(lines).filter((account) => chart[account] === undefined);
  if (missing.length > 0) {
    const accounts = missing.map((account) => JOURNAL_ACCOUNT_WORDS[account].name).join(', ');
    throw new AppError('chart_incomplete', { accounts });
  }
  return writeJournal(format, { ...month, lines, chart });
}

function exportClosed(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  by: RequestContext,
  { state, format }: { state: MonthState; format: JournalFormat },
): Promise<string> {
  return withTx(db, async (tx) => {
    const closingId = state.month.closing?.id ?? '';
    const chart = await readChart(tx);
    const kept = await tx
      .selectFrom('journalExport')
      .select(['accounts', 'contentHash'])
      .where('closingId', '=', closingId)
      .where('format', '=', format)
      .executeTakeFirst();
    const text = fileOf(state, format, kept === undefined ? chart : (kept.accounts as Chart));
    const contentHash = createHash('sha256').update(text).digest();
    if (kept !== undefined) {
      if (!contentHash.equals(kept.contentHash)) {
        throw new InvariantError(`the journal of closing ${closingId} is not what was exported`);
      }
      return text;
    }
    const used = usedAccounts(state.lines).map((account) => [account, chart[account]]);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('journalExport')
      .values({
        closingId,
        format,
        contentHash,
        exportedBy: by.actor.id,
        exportedAt: clock.now(),
        accounts: JSON.stringify(Object.fromEntries(used)),
      })
      .onConflict((conflict) => conflict.columns(['closingId', 'format']).doNothing())
      .executeTakeFirst();
    // Somebody exported it in between, perhaps with other accounts.
    if (numInsertedOrUpdatedRows !== 1n) throw new AppError('conflict');
    record(tx, by, 'journal.exported', {
      id: closingId,
      details: { format, contentHash: contentHash.toString('hex') },
    });
    return text;
  });
}
