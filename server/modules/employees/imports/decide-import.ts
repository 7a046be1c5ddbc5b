import type { RouteArguments } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { importCan } from '#contract/employee-import.ts';
import type { ImportAction } from '#contract/employee-import.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { lastStated } from '#server/modules/audit/index.ts';
import { rememberColumns } from '#server/modules/imports/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { checkRowsAgain, finishCheck, hashReadyRows } from './keep-rows.ts';
import { columnsOf } from './present.ts';

/** @throws {AppError} `import_not_found`, `import_wrong_status` */
async function lockImport(tx: Tx, id: string, action: ImportAction) {
  const found = await tx
    .selectFrom('employeeImport')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw new AppError('import_not_found');
  const { status } = found;
  if (!can(importCan, action, status)) throw new AppError('import_wrong_status', { status });
  return found;
}

/**
 * Says which column of the file is which, also for the next file with these headings, and checks all rows by it.
 *
 * @throws {AppError} `import_not_found`, `import_wrong_status`; `invalid_request` for a column that the
 *   file has not
 */
export async function matchImport(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, mapping }: { id: string; mapping: RouteArguments<'adminMatchImport'>['body'] },
): Promise<void> {
  const { header, version } = await lockImport(tx, id, 'match');
  const missing = Object.entries(mapping).filter(
    ([, index]) => index !== null && index >= header.length,
  );
  if (missing.length > 0) {
    throw new AppError(
      'invalid_request',
      {},
      missing.map(([path]) => ({ path, message: 'Choose a column of the file' })),
    );
  }
  const chosen = { mapping, by: by.actor.id, at: clock.now() };
  await rememberColumns(tx, { purpose: 'employees', header }, chosen);
  await checkRowsAgain(tx, id, { mapping, columnCount: header.length });
  const counts = await finishCheck(tx, id);
  await tx
    .updateTable('employeeImport')
    .set({ ...columnsOf(mapping), ...counts, version: version + 1, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute();
  record(tx, by, 'employee_import.matched', {
    id,
    details: { ready: counts.readyCount, rowsHash: await hashReadyRows(tx, id) },
  });
}

/**
 * Lets the people of a checked file be added, by a job.
 *
 * @throws {AppError} `import_not_found`, `import_wrong_status`; `conflict` where it was checked again
 *   since the admin looked, or has rows that nobody checked; `import_nothing_ready`
 */
export async function confirmImport(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, version }: { id: string; version: number },
): Promise<void> {
  const found = await lockImport(tx, id, 'confirm');
  if (found.version !== version) throw new AppError('conflict');
  if (found.readyCount === 0) throw new AppError('import_nothing_ready');
  if (!(await areRowsAsChecked(tx, id))) throw new AppError('conflict');
  const now = clock.now();
  await tx
    .updateTable('employeeImport')
    .set({ status: 'importing', confirmedBy: by.actor.id, confirmedAt: now, updatedAt: now })
    .where('id', '=', id)
    .execute();
  enqueueJob(tx, { name: 'import-employees', payload: { importId: id } });
  record(tx, by, 'employee_import.confirmed', { id, details: { ready: found.readyCount } });
}

/** False if rows were changed past the commands. A check from before Purser recorded its rows is not compared. */
async function areRowsAsChecked(tx: Tx, id: string): Promise<boolean> {
  const checked = await lastStated(tx, { type: 'employee_import', id }, { key: 'rowsHash' });
  return checked === undefined || checked.value === (await hashReadyRows(tx, id));
}

/**
 * Throws away a file that is not confirmed, whoever sent it.
 *
 * @throws {AppError} `import_not_found`, `import_wrong_status`
 */
export async function discardImport(tx: Tx, by: CommandContext, id: string): Promise<void> {
  const { readyCount } = await lockImport(tx, id, 'discard');
  await tx.deleteFrom('employeeImport').where('id', '=', id).execute();
  record(tx, by, 'employee_import.discarded', { id, details: { ready: readyCount } });
}
