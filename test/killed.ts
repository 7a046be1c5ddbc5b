import { sql } from 'kysely';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { CutProxy } from './cut-proxy.ts';
import type { TestDb } from './open-db.ts';
import { until } from './until.ts';

/**
 * Does a step again and again by connections of which each ends one message later than the one before, as if its
 * server was killed there, until the step is done or is refused because it was.
 *
 * @param readState everything that the step may leave behind, as a text
 * @returns the different states that were seen, in their order: 2 where nothing is ever half done
 */
export async function statesWhenKilled(
  { db, appUrl }: TestDb,
  proxy: CutProxy,
  readState: () => Promise<string>,
  step: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const url = new URL(appUrl);
  url.port = String(proxy.port);
  const applicationName = 'killed';
  const isGone = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE application_name = ${applicationName}`.execute(db);
    return rows.length === 0;
  };
  const states = new Set([await readState()]);
  for (let messages = 1; ; messages += 1) {
    const pool = createPool({
      url: url.toString(),
      max: 1,
      applicationName,
      onLost: () => undefined,
    });
    proxy.endAfter(messages);
    const error = await step(createDb(pool)).then(
      () => null,
      (reason: unknown) => reason,
    );
    await pool.end();
    await until(isGone, { everyMs: 1 });
    states.add(await readState());
    if (error === null || error instanceof AppError) return [...states];
  }
}
