import { sql } from 'kysely';

/**
 * Tables of graphile-worker that are not its interface. Everything that its public view and functions
 * can do is done by them; this is for what they cannot, and nothing else in the server names these
 * tables (a test holds it):
 *
 * - the view `graphile_worker.jobs` shows no payload, and no `is_available`, without which a queue of a
 *   hundred thousand jobs is read from end to end;
 * - no function renews the lock of a job that runs, or gives back one job whose process is dead:
 *   `force_unlock_workers` gives back all of a worker, and `reschedule_jobs` waits four hours.
 *
 * `server/db/catalog/expected.json` has their columns, so a version that changes them fails a test.
 */
export const QUEUE_JOBS = sql`graphile_worker._private_jobs`;

/** Every task by its id, `identifier` being its name. */
export const QUEUE_TASKS = sql`graphile_worker._private_tasks`;

/** To be selected from: each `job` with its `task`. */
export const JOB_WITH_TASK = sql`${QUEUE_JOBS} AS job JOIN ${QUEUE_TASKS} AS task ON task.id = job.task_id`;
