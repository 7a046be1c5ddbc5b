import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { pause } from '#server/lib/pause.ts';

/** A confirmation of who one is lasts ten minutes. */
const EVERY_MS = 60_000;
const AGAIN_MS = 1_000;

/**
 * Confirms who everybody is, and forgives their limits, every minute until stopped. A request is repeated with its session
 * until there is a reply: once the confirmation was over, it would be repeated for ever.
 */
export function keepConfirmed(db: Db): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      // It fails while there is no database.
      const isDone = await confirmAll(db).then(
        () => true,
        () => false,
      );
      await pause(isDone ? EVERY_MS : AGAIN_MS, signal);
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function confirmAll(db: Db): Promise<void> {
  await sql`UPDATE auth_session SET confirmed_at = now()`.execute(db);
  await sql`DELETE FROM rate_limit`.execute(db);
}
