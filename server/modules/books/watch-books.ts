import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { areBooksSound } from './queries.ts';
import { lastRestoreDrill } from './restore-drills.ts';

/** Adds to /metrics the results of the server's own verifications and of the last trial of a backup, and their ages. */
export function watchBooks(metrics: Metrics, db: Db): void {
  metrics.gauge(
    'purser_books_sound',
    '0 from a verification that found something wrong until the whole is verified again',
    async () => ((await areBooksSound(db)) ? 1 : 0),
  );
  metrics.gauge(
    'purser_books_verified_age_seconds',
    'How long ago the last verification that ended began; while none has, how long the process runs',
    async () => {
      const { rows } = await sql<{ ageS: number | null }>`
        SELECT extract(epoch FROM clock_timestamp() - started_at)::float8 AS age_s
          FROM verification_run WHERE finished_at IS NOT NULL
         ORDER BY id DESC LIMIT 1`.execute(db);
      return rows[0]?.ageS ?? process.uptime();
    },
  );
  metrics.gauge(
    'purser_restore_drill_age_seconds',
    'How long ago a backup was tried last; not a number while none was',
    async () => {
      const last = await lastRestoreDrill(db);
      return last === null ? Number.NaN : (Date.now() - Date.parse(last.at)) / 1_000;
    },
  );
  metrics.gauge(
    'purser_restore_drill_sound',
    '1 when the books of the backup that was tried last were sound, 0 when not or when none was tried',
    async () => ((await lastRestoreDrill(db))?.isSound === true ? 1 : 0),
  );
}
