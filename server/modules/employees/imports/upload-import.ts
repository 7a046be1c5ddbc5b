import {
  guessMapping,
  IMPORT_MAX_BYTES,
  isImportHeader,
  rivalsIn,
} from '#contract/employee-import.ts';
import type { ImportColumns, ImportMapping } from '#contract/employee-import.ts';
import type { EmployeeImport } from '#contract/api.ts';
import { isUniqueViolation, withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { readCsv } from '#server/lib/read-csv.ts';
import { SheetReader } from '#server/lib/sheet-rows.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';
import { fileNameOf, recallColumns } from '#server/modules/imports/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_ROWS, finishCheck, hashReadyRows, keepRows } from './keep-rows.ts';
import { columnsOf, findImport, presentImport } from './present.ts';

interface NewImport {
  fileName: string;
  body: UploadBody;
}

/**
 * Reads a CSV file of employees and checks each row. Nobody is added. The rows are kept as they
 * arrive, a chunk per transaction, so that neither the file nor a transaction waits in memory. A file
 * of the same admin that was not confirmed is replaced once the first rows of the other were read.
 *
 * @param isMailed whether people are mailed their links: what the admin is shown, and then done
 * @throws {AppError} `import_in_progress`, naming who; what is wrong with the file; then nothing of it
 *   is kept
 */
export async function uploadImport(
  db: Db,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { fileName, body }: NewImport,
  { isMailed }: { isMailed: boolean },
): Promise<EmployeeImport> {
  checkFree(await findOpen(db), by, services.clock.now());
  const id = newId(services.clock.now().getTime());
  const begin = (tx: Tx) => beginImport(tx, services, by, { id, fileName, isMailed });
  const file = new FileReader(db, services, { id, begin });
  try {
    await file.take(readCsv(counted(body, file)));
    await withTx(db, (tx) => endReading(tx, services, by, { id, file }));
  } catch (error) {
    if (file.isBegun) await withTx(db, (tx) => giveUp(tx, id));
    throw error;
  }
  return presentImport(await findImport(db, id));
}

async function* counted(body: UploadBody, file: { byteCount: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.stream(IMPORT_MAX_BYTES, 'import_too_large')) {
    file.byteCount += chunk.byteLength;
    yield chunk;
  }
}

async function giveUp(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('employeeImport').where('id', '=', id).execute();
  publish(tx, { topic: 'imports', userId: null });
}

/** @throws {AppError} `import_in_progress` */
async function beginImport(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, fileName, isMailed }: { id: string; fileName: string; isMailed: boolean },
): Promise<void> {
  const now = clock.now();
  const open = await findOpen(tx, { isLocked: true });
  checkFree(open, by, now);
  if (open !== undefined) {
    await tx.deleteFrom('employeeImport').where('id', '=', open.id).execute();
  }
  await tx
    .insertInto('employeeImport')
    .values({
      id,
      fileName: fileNameOf(fileName, 'employees.csv'),
      status: 'reading',
      isMailed,
      createdBy: by.actor.id,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  publish(tx, { topic: 'imports', userId: null });
}

/** The import that is not finished, with who sent its file. */
function findOpen(reader: Reader, { isLocked = false } = {}) {
  return reader
    .selectFrom('employeeImport')
    .innerJoin('appUser', 'appUser.id', 'employeeImport.createdBy')
    .select(['employeeImport.id', 'status', 'fileName', 'createdBy', 'appUser.name'])
    .select('employeeImport.updatedAt')
    .where('finishedAt', 'is', null)
    .$if(isLocked, (query) => query.forUpdate('employeeImport'))
    .executeTakeFirst();
}

/**
 * There is room for another file: none is open, or one of the same admin's that is not confirmed, or
 * one whose upload was cut off by the end of its process.
 *
 * @throws {AppError} `import_in_progress`
 */
function checkFree(
  open: Awaited<ReturnType<typeof findOpen>>,
  by: CommandContext,
  now: Date,
): void {
  if (open === undefined) return;
  const isLeft =
    open.status === 'reading' &&
    open.updatedAt.getTime() < now.getTime() - LIMITS.imports.readingTimeoutMs;
  const isOwn = open.status === 'checked' && open.createdBy === by.actor.id;
  if (isLeft || isOwn) return;
  throw new AppError('import_in_progress', { who: open.name, file: open.fileName });
}

/** Content of a file, while its rows are kept. */
class FileReader {
  readonly #db: Db;
  readonly #services: Pick<Services, 'clock'>;
  readonly #id: string;
  readonly #begin: (tx: Tx) => Promise<void>;
  /** True if anything of it is kept. */
  isBegun = false;
  byteCount = 0;
  readonly sheet = new SheetReader(isImportHeader);

  constructor(
    db: Db,
    services: Pick<Services, 'clock'>,
    { id, begin }: { id: string; begin: (tx: Tx) => Promise<void> },
  ) {
    this.#db = db;
    this.#services = services;
    this.#id = id;
    this.#begin = begin;
  }

  /** Columns of the file, known with its first rows: as somebody matched them before, or as their names say. Somebody has to choose of rivals. */
  mapping: ImportMapping = guessMapping([]);
  #rivals: NonNullable<ImportColumns['rivals']> = {};

  async take(records: AsyncIterable<string[]>): Promise<void> {
    let chunk: SheetRow[] = [];
    for await (const row of this.sheet.rows(records)) {
      chunk.push(row);
      if (chunk.length === CHUNK_ROWS) {
        await this.#keep(chunk);
        chunk = [];
      }
    }
    await this.#keep(chunk);
  }

  /** @throws {AppError} `import_in_progress`; `import_not_found` where it was given up in between */
  async #keep(chunk: readonly SheetRow[]): Promise<void> {
    if (chunk.length === 0) return;
    const keep = () =>
      withTx(this.#db, async (tx) => {
        if (this.isBegun) await this.#renew(tx);
        else {
          const { header } = this.sheet;
          const known = await recallColumns<ImportMapping>(tx, { purpose: 'employees', header });
          this.mapping = known ?? guessMapping(header);
          this.#rivals = known === undefined ? rivalsIn(header) : {};
          await this.#begin(tx);
        }
        const columnCount = this.sheet.header.length;
        const columns = { mapping: this.mapping, columnCount, rivals: this.#rivals };
        await keepRows(tx, this.#id, chunk, columns);
      });
    await keep().catch((error: unknown) => {
      if (!isUniqueViolation(error, 'employee_import_open')) throw error;
      // Another upload began in the same moment; now it can be seen.
      return keep();
    });
    this.isBegun = true;
  }

  async #renew(tx: Tx): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('employeeImport')
      .set({ updatedAt: this.#services.clock.now() })
      .where('id', '=', this.#id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('import_not_found');
  }
}

async function endReading(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, file }: { id: string; file: FileReader },
): Promise<void> {
  const counts = await finishCheck(tx, id);
  const { byteCount, mapping, sheet } = file;
  await tx
    .updateTable('employeeImport')
    .set({
      status: 'checked',
      byteCount,
      header: [...sheet.header],
      updatedAt: clock.now(),
      totalRowCount: sheet.totalRowCount,
      ...columnsOf(mapping),
      ...counts,
    })
    .where('id', '=', id)
    .execute();
  record(tx, by, 'employee_import.checked', {
    id,
    details: {
      rows: counts.rowCount,
      ready: counts.readyCount,
      rowsHash: await hashReadyRows(tx, id),
    },
  });
}
