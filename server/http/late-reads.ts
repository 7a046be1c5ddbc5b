import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import { POSITION_COOKIE, POSITION_HEADER, POSITION_LIFE_S } from '#contract/identity.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { Replica } from '#server/db/replica.ts';
import type { Db } from '#server/db/tx.ts';
import type { Environment } from './environment.ts';
import type { AnyContext } from './handlers.ts';

export type LateReads = Pick<Replica, 'read' | 'position'>;

/**
 * Runs a read on the replica if it may be late, else on the primary. A refusal or a failure that rests on the replica is
 * not believed: the primary reads once more.
 *
 * An API key keeps no cookie, and reads what a webhook has just reported: the primary answers it.
 */
export async function readWhere<T>(
  c: Context<Environment>,
  { mayBeLate }: RouteSpec,
  { actor }: AnyContext,
  { db, replica }: { db: Db; replica: LateReads | null },
  run: (db: Db) => Promise<T>,
): Promise<T> {
  if (replica === null || !mayBeLate || actor?.apiKey !== undefined) return run(db);
  const reading = replica.read(positionOf(c));
  try {
    return await run(reading.db);
  } catch (error) {
    if (!reading.usedReplica()) throw error;
    return run(db);
  }
}

/** Position that the caller knows of; 0 where the request has none. A false one delays only the caller's own reads. */
function positionOf(c: Context<Environment>): number {
  const text = getCookie(c, POSITION_COOKIE) ?? '';
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}

/**
 * Gives the position of the primary to whoever changed something, in a cookie for their next reads and in a header for
 * their page. A browser forgets it once every read has it anyway.
 */
export async function tellPosition(
  response: Response,
  { replica, publicUrl }: { replica: LateReads; publicUrl: string },
): Promise<void> {
  // The change took place, whatever becomes of this question: without an answer the next reads go to the primary.
  const position = String(await replica.position().catch(() => Number.MAX_SAFE_INTEGER));
  const cookie = serialize(POSITION_COOKIE, position, {
    path: '/',
    sameSite: 'Lax',
    maxAge: POSITION_LIFE_S,
    secure: publicUrl.startsWith('https:'),
  });
  response.headers.set(POSITION_HEADER, position);
  response.headers.append('set-cookie', cookie);
}
