import { sql } from 'kysely';

/**
 * Tables of graphile-worker that are not its interface. The server uses its public view and
 * functions wherever they are enough; nothing else in the server names these tables (a test checks
 * this):
 * - the view `graphile_worker.jobs` shows no payload, and no `is_available`, without which a queue
 *   of a hundred thousand jobs is read from end to end;
 * - no function renews the lock of a running job, or returns one job whose process is dead:
 *   `force_unlock_workers` returns all of a worker, and `reschedule_jobs` waits four hours;
 * - no function takes back a tick that a process with a wrong clock has recorded.
 *
 * `server/db/catalog/expected.json` has their columns, so a version that changes them fails a test.
 */
export const QUEUE_JOBS = sql`graphile_worker._private_jobs`;

/** Every task by its id, `identifier` being its name. */
export const QUEUE_TASKS = sql`graphile_worker._private_tasks`;

/** The last tick of each job that runs by the clock. */
export const QUEUE_CLOCK = sql`graphile_worker._private_known_crontabs`;

/** SQL source of each `job` with its `task`. */
export const JOB_WITH_TASK = sql`${QUEUE_JOBS} AS job JOIN ${QUEUE_TASKS} AS task ON task.id = job.task_id`;
