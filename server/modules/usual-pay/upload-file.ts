import type { RouteReply } from '#contract/api.ts';
import { USUAL_PAY_FILE_SHOWN } from '#contract/usual-pay-file.ts';
import { isUniqueViolation, withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { fileNameOf } from '#server/modules/imports/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkFile } from './check-file.ts';
import type { CheckedFile } from './check-file.ts';
import { findImport, hashOf, keptOf, latestImport, presentImport } from './file-import.ts';
import { readUsualPayFile } from './read-file.ts';

/**
 * Reads and checks a CSV file of usual pay. Nothing is changed before it is confirmed. A file with errors is not kept:
 * the reply names them by row and column, and the file is uploaded again once they are fixed. One without errors takes
 * the place of a file of the same admin that is not confirmed; until then that one stays.
 *
 * @throws {AppError} `import_in_progress` while another file waits; `usual_pay_same` where no row changes anything;
 *   and as `readUsualPayFile`
 */
export async function uploadUsualPayFile(
  db: Db,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { fileName, body }: { fileName: string; body: UploadBody },
): Promise<RouteReply<'adminUploadUsualPay'>> {
  checkFree(await latestImport(db), by);
  const settings = await readSettings(db);
  const file = await readUsualPayFile(body, settings.currency);
  const now = services.clock.now();
  const checked = await checkFile(db, file, { settings, now, actorId: by.actor.id });
  const { problems, changes } = checked;
  if (problems.length > 0) {
    return {
      problems: problems.slice(0, USUAL_PAY_FILE_SHOWN),
      problemCount: problems.length,
      import: null,
    };
  }
  if (changes.length === 0) throw new AppError('usual_pay_same');
  const id = newId(now.getTime());
  await withTx(db, (tx) => keep(tx, by, { id, fileName, checked, now })).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'usual_pay_import_open')) throw error;
    throw new AppError('import_in_progress', { who: 'Somebody', file: 'another file' });
  });
  const row = await findImport(db, id);
  const kept = await presentImport(db, services, by.actor.id, row);
  return { problems: [], problemCount: 0, import: kept };
}

/** @throws {AppError} `import_in_progress` */
function checkFree(open: Awaited<ReturnType<typeof latestImport>>, by: CommandContext): void {
  if (open === undefined || open.status === 'taken') return;
  if (open.status === 'checked' && open.createdBy === by.actor.id) return;
  throw new AppError('import_in_progress', { who: open.makerName, file: open.fileName });
}

interface NewFile {
  id: string;
  fileName: string;
  checked: CheckedFile;
  now: Date;
}

async function keep(
  tx: Tx,
  by: CommandContext,
  { id, fileName, checked, now }: NewFile,
): Promise<void> {
  await tx
    .deleteFrom('usualPayImport')
    .where('status', '=', 'checked')
    .where('createdBy', '=', by.actor.id)
    .execute();
  const changes = checked.changes.map(keptOf);
  const hash = hashOf(changes);
  await tx
    .insertInto('usualPayImport')
    .values({
      id,
      status: 'checked',
      hash,
      sameCount: checked.sameCount,
      fileName: fileNameOf(fileName, 'usual-pay.csv'),
      changes: JSON.stringify(changes),
      createdBy: by.actor.id,
      createdAt: now,
    })
    .execute();
  record(tx, by, 'usual_pay_import.checked', {
    id,
    details: { people: changes.length, hash: hash.toString('hex') },
  });
}
