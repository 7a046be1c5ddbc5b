import { sql } from 'kysely';
import { can } from '#contract/can.ts';
import { importCan, readDepartment } from '#contract/employee-import.ts';
import { refreshStatistics } from '#server/db/refresh-statistics.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import type { CreatedAccount } from '#server/modules/identity/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { addUnannounced } from '../add-employee.ts';

/** People in one transaction: less than a second, and progress that is seen to move. */
const CHUNK_PEOPLE = 250;

export interface RunImportOptions {
  /** Number of people to add per transaction. */
  chunkPeople?: number;
  /** Stops after the chunk in progress; the sweep takes it up again. */
  signal?: AbortSignal;
}

/** The job `import-employees`: adds the people of the import named in its payload. Safe to run twice. */
export async function importEmployeesJob(
  db: Db,
  services: Services,
  { importId }: Readonly<Record<string, string>>,
  options: RunImportOptions = {},
): Promise<void> {
  await runImport(db, services, invariant(importId, 'import-employees needs an importId'), options);
}

/**
 * Adds everyone whose row is ready, a chunk per transaction, by what `addEmployee` adds one with, and
 * publishes once per chunk. Safe to call at any time, twice concurrently, and again after a crash: the
 * import's row is locked while a chunk is added, and a chunk is committed whole, with the outcome of its
 * rows, or not at all. Returns without doing anything when the import does not exist, is not confirmed,
 * is finished or is being run elsewhere.
 *
 * A person who cannot be added is left out alone, with the reason; anything else that goes wrong is
 * thrown.
 */
export async function runImport(
  db: Db,
  services: Services,
  importId: string,
  { chunkPeople = CHUNK_PEOPLE, signal }: RunImportOptions = {},
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    const isMore = await withTx(db, (tx) => addChunk(tx, services, importId, chunkPeople));
    if (!isMore) break;
  }
  await refreshStatistics(db);
}

/** Asks for the job of an import that is not finished: what a killed process left behind. */
export async function sweepImports(db: Db): Promise<void> {
  await withTx(db, async (tx) => {
    const left = await tx
      .selectFrom('employeeImport')
      .select('id')
      .where('status', '=', 'importing')
      .execute();
    for (const { id } of left) {
      enqueueJob(tx, { name: 'import-employees', payload: { importId: id } });
    }
  });
}

/** A row about to be decided. */
interface ReadyRow {
  id: string;
  rowNumber: number;
  fullName: string;
  email: string;
  department: string;
  position: string;
}

/** Result of a row. */
interface Outcome {
  id: string;
  status: 'imported' | 'failed';
  user_id: string | null;
  message: string | null;
}

/** Adds the next people; true when there may be more. */
async function addChunk(
  tx: Tx,
  services: Services,
  importId: string,
  chunkPeople: number,
): Promise<boolean> {
  const one = await lockRunning(tx, importId);
  if (one === undefined) return false;
  const by: CommandContext = {
    actor: { id: one.confirmedBy, role: 'admin', name: one.confirmerName },
  };
  const rows = await nextRows(tx, importId, one.doneThrough, chunkPeople);
  const added = await addUnannounced(tx, services, by, rows.map(employeeOf), one);
  const outcomes = rows.map((row, index) =>
    outcomeOf(row, invariant(added[index], 'everyone is added or refused')),
  );
  await keepOutcomes(tx, outcomes);
  const isLast = rows.length < chunkPeople;
  await saveProgress(tx, services, by, { importId, isLast, rows, outcomes, before: one });
  return !isLast;
}

interface RunningImport {
  confirmedBy: string;
  confirmerName: string;
  doneThrough: number;
  importedCount: number;
  failedCount: number;
  isMailed: boolean;
}

/** The import, locked; undefined where it is not to be run or another process runs it. */
async function lockRunning(tx: Tx, importId: string): Promise<RunningImport | undefined> {
  const found = await tx
    .selectFrom('employeeImport')
    .innerJoin('appUser as confirmer', 'confirmer.id', 'employeeImport.confirmedBy')
    .selectAll('employeeImport')
    .select(['confirmer.name as confirmerName', 'confirmer.id as confirmerId'])
    .where('employeeImport.id', '=', importId)
    .forUpdate('employeeImport')
    .skipLocked()
    .executeTakeFirst();
  if (found === undefined || !can(importCan, 'run', found.status)) return undefined;
  return { ...found, confirmedBy: found.confirmerId };
}

async function nextRows(
  tx: Tx,
  importId: string,
  after: number,
  limit: number,
): Promise<ReadyRow[]> {
  return tx
    .selectFrom('employeeImportRow')
    .select(['id', 'rowNumber', 'fullName', 'email', 'department', 'position'])
    .where('importId', '=', importId)
    .where('status', '=', 'ready')
    .where('rowNumber', '>', after)
    .orderBy('rowNumber')
    .limit(limit)
    .execute();
}

function employeeOf({ fullName, email, position, department }: ReadyRow) {
  return {
    fullName,
    email,
    department: invariant(readDepartment(department), 'checked before'),
    ...(position !== '' && { position }),
  };
}

function outcomeOf({ id }: ReadyRow, added: CreatedAccount): Outcome {
  if ('id' in added) return { id, status: 'imported', user_id: added.id, message: null };
  const { refusal } = added;
  const isTaken = refusal.code === 'email_taken';
  const message = isTaken
    ? 'Joined after the file was checked'
    : (refusal.fields[0]?.message ?? refusal.message);
  return { id, status: 'failed', user_id: null, message };
}

async function keepOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  await sql`
    UPDATE employee_import_row AS kept
       SET status = one.status, user_id = one.user_id,
           problems = CASE WHEN one.message IS NULL THEN '[]'::jsonb ELSE
             jsonb_build_array(jsonb_build_object('column', 'email', 'message', one.message)) END
      FROM json_to_recordset(${JSON.stringify(outcomes)}::json)
        AS one (id uuid, status text, user_id uuid, message text)
     WHERE kept.id = one.id`.execute(tx);
}

interface Progress {
  importId: string;
  isLast: boolean;
  rows: readonly ReadyRow[];
  outcomes: readonly Outcome[];
  before: RunningImport;
}

async function saveProgress(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { importId, isLast, rows, outcomes, before }: Progress,
): Promise<void> {
  const now = clock.now();
  const added = outcomes.filter(({ status }) => status === 'imported').length;
  const importedCount = before.importedCount + added;
  const failedCount = before.failedCount + outcomes.length - added;
  await tx
    .updateTable('employeeImport')
    .set({
      importedCount,
      failedCount,
      updatedAt: now,
      doneThrough: rows.at(-1)?.rowNumber ?? before.doneThrough,
      ...(isLast && { status: 'finished' as const, finishedAt: now }),
    })
    .where('id', '=', importId)
    .execute();
  publish(tx, { topic: 'imports', userId: null });
  if (added > 0) publish(tx, { topic: 'people', userId: null });
  if (!isLast) return;
  record(tx, { actor: 'system' }, 'employee_import.finished', {
    id: importId,
    userId: by.actor.id,
    at: now,
    details: { imported: importedCount, failed: failedCount },
    words: { imported: String(importedCount), failed: String(failedCount) },
  });
}
