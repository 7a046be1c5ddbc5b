import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { keepConfirmed } from './confirmed-sessions.ts';

test('a session of anybody is confirmed, from the beginning on', async () => {
  const opened = await openTestDb();
  const { db } = opened;
  const { id } = await createEmployee(db, createTestServices());
  await sql`INSERT INTO auth_session (user_id, token_hash, expires_at, confirmed_at)
            VALUES (${id}, ${'0'.repeat(64)}, now() + interval '1 hour', now() - interval '1 hour')`.execute(
    db,
  );
  const confirmed = keepConfirmed(db);
  const countConfirmed = async () => {
    const { rows } = await sql`
      SELECT FROM auth_session WHERE confirmed_at > now() - interval '10 minutes'`.execute(db);
    return rows.length;
  };
  await until(async () => (await countConfirmed()) > 0);
  await confirmed.stop();
  expect(await countConfirmed()).toBe(1);
  await opened.close();
});
