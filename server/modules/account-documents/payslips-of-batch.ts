import { payslipId, PAYSLIPS_IN_ARCHIVE } from '#contract/account-documents.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { ZippedFile } from '#server/lib/zip.ts';
import type { Services } from '#server/services.ts';
import { makeDocument } from './make-document.ts';
import { recordOpened } from './open-document.ts';
import { drawPdf } from './pdf/draw-pdf.ts';
import { documentScope } from './scope.ts';

/** Lines that are read at a time. */
const PAGE = 100;

interface PaidLine {
  id: string;
  lineNumber: number;
  userId: string;
}

/** Payslips of a batch: those of its lines from a number on, as many as an archive has. */
export interface PayslipsOfBatch {
  batchId: string;
  /** 1 for the lines 1 to 10,000, 2 for those after them. */
  part: number;
}

/**
 * The number of a batch that has payslips.
 *
 * @throws {AppError} `payroll_not_found`; `payslips_none` where no line of that part was paid
 */
export async function findPayslips(
  db: Db,
  { batchId, part }: PayslipsOfBatch,
): Promise<{ number: string }> {
  const batch = await db
    .selectFrom('payrollBatch')
    .select('number')
    .where('id', '=', batchId)
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const [first] = await readPaid(db, batchId, {
    after: firstOf(part) - 1,
    until: firstOf(part + 1),
  });
  if (first === undefined) throw new AppError('payslips_none');
  return batch;
}

/**
 * Draws the payslips of a batch as PDF, one after another as the reader consumes them, so that one is in memory. Each
 * access is recorded before the document is drawn, and its person sees it.
 */
export async function* drawPayslips(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { batchId, part }: PayslipsOfBatch,
): AsyncGenerator<ZippedFile> {
  const until = firstOf(part + 1);
  for (let after = firstOf(part) - 1; ;) {
    const lines = await readPaid(db, batchId, { after, until });
    const last = lines.at(-1);
    if (last === undefined) return;
    for (const { id, userId } of lines) {
      const scope = await documentScope(db, userId, clock.now());
      const document = await makeDocument(db, scope, { id: payslipId(id), isWhole: true });
      await withTx(db, (tx) => recordOpened(tx, by, userId, document));
      yield { name: `payslips/${document.fileName}.pdf`, bytes: await drawPdf(document) };
    }
    after = last.lineNumber;
  }
}

function firstOf(part: number): number {
  return (part - 1) * PAYSLIPS_IN_ARCHIVE + 1;
}

function readPaid(
  db: Db,
  batchId: string,
  { after, until }: { after: number; until: number },
): Promise<PaidLine[]> {
  return db
    .selectFrom('payrollLine')
    .select(['id', 'lineNumber', 'userId'])
    .where('batchId', '=', batchId)
    .where('lineNumber', '>', after)
    .where('lineNumber', '<', until)
    .where('status', 'in', ['processed', 'reversed'])
    .orderBy('lineNumber')
    .limit(PAGE)
    .execute();
}
