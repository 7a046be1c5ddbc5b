import { PAYSLIPS_IN_ARCHIVE } from '#contract/account-documents.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { oneAhead } from '#server/lib/one-ahead.ts';
import type { ZippedFile } from '#server/lib/zip.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { recordOpened } from './open-document.ts';
import { makePayslip, readBatch } from './payslip.ts';
import { drawPdf } from './pdf/draw-pdf.ts';
import type { DocumentScope } from './scope.ts';

/** Lines that are read and recorded at a time. */
const PAGE = 100;

interface PaidLine {
  id: string;
  lineNumber: number;
  reference: string;
  person: DocumentScope['person'];
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
 * Draws the payslips of a batch as PDF, one after another as the reader consumes them, so that two are in memory: one is
 * drawn while the next is read. The accesses of a page of lines are recorded before its first document is drawn, and its
 * people see them.
 */
export async function* drawPayslips(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { batchId, part }: PayslipsOfBatch,
): AsyncGenerator<ZippedFile> {
  const until = firstOf(part + 1);
  const batch = await readBatch(db, batchId);
  const scope = { address: [], settings: await readSettings(db), now: clock.now() };
  for (let after = firstOf(part) - 1; ;) {
    const lines = await readPaid(db, batchId, { after, until });
    const last = lines.at(-1);
    if (last === undefined) return;
    await withTx(db, async (tx) => {
      for (const { person, reference } of lines) {
        await recordOpened(tx, by, person.id, { kind: 'payslip', reference });
      }
    });
    const documents = oneAhead(lines, ({ id, person }) =>
      makePayslip(db, { ...scope, person }, id, batch),
    );
    for await (const document of documents) {
      yield { name: `payslips/${document.fileName}.pdf`, bytes: await drawPdf(document) };
    }
    after = last.lineNumber;
  }
}

function firstOf(part: number): number {
  return (part - 1) * PAYSLIPS_IN_ARCHIVE + 1;
}

async function readPaid(
  db: Db,
  batchId: string,
  { after, until }: { after: number; until: number },
): Promise<PaidLine[]> {
  const rows = await db
    .selectFrom('payrollLine as line')
    .innerJoin('appUser', 'appUser.id', 'line.userId')
    .innerJoin('ledgerTransaction as one', 'one.id', 'line.ledgerTransactionId')
    .select(['line.id', 'line.lineNumber', 'line.userId', 'one.reference'])
    .select(['appUser.name', 'appUser.employeeNumber as employeeId'])
    .where('line.batchId', '=', batchId)
    .where('line.lineNumber', '>', after)
    .where('line.lineNumber', '<', until)
    .where('line.status', 'in', ['processed', 'reversed'])
    .orderBy('line.lineNumber')
    .limit(PAGE)
    .execute();
  return rows.map(({ userId, name, employeeId, ...line }) => ({
    ...line,
    person: { id: userId, name, employeeId },
  }));
}
