import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { newId } from '#server/lib/ids.ts';
import { connect } from './database.ts';
import type { BenchDatabase } from './database.ts';
import { AMOUNT_MINOR } from './http.ts';
import { runPayrollFloor } from './payroll-floor.ts';
import type { Company } from './people.ts';

/** Lines in a transaction, as in the server's poster. */
const CHUNK_LINES = 1_000;
/** One person in so many is new, and one is gone. One in 50 gets much less, and one in five a little more. */
const ONE_IN = 1_000;

/** The company, of which only its admin acts. */
type Payer = Pick<Company, 'admin'>;

/** Amounts that a draft pays each person, by their place; nobody with a place that has no amount. */
const SAME = sql`CASE WHEN place % ${ONE_IN}::integer <> 0 THEN ${AMOUNT_MINOR}::bigint END`;
export const OWN = sql`CASE WHEN place % ${ONE_IN}::integer = 1 THEN NULL
                     WHEN place % 50 = 0 THEN 140000 + place % 1000
                     WHEN place % 5 = 0 THEN ${AMOUNT_MINOR}::bigint + place % 1000
                     ELSE ${AMOUNT_MINOR}::bigint END`;

/** Opens a draft that pays each person their amount. */
export async function makeDraft(
  { db }: BenchDatabase,
  { admin }: Payer,
  amount: RawBuilder<unknown>,
): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO payroll_draft (id, status, wallet_type, department, description, has_own_amounts, currency,
                               started_from, created_by, created_at, changed_by, updated_at)
    VALUES (${id}, 'open', 'salary', 'all', 'Biweekly pay', true, 'USD', 'file', ${admin.id}, now(), ${admin.id},
            now())`.execute(db);
  await sql`
    INSERT INTO payroll_draft_person (draft_id, user_id, amount_minor, version)
    SELECT ${id}, id, amount, 1
      FROM (SELECT id, ${amount} AS amount
              FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM app_user
                     WHERE role = 'employee') AS person) AS paid
     WHERE amount IS NOT NULL`.execute(db);
  return id;
}

/** Pays everybody of a draft by bare SQL. */
export function payFloor(
  { ownerUrl }: BenchDatabase,
  { admin }: Payer,
  pay: Parameters<typeof runPayrollFloor>[1]['pay'],
): Promise<number> {
  return runPayrollFloor(ownerUrl, { adminId: admin.id, pay, chunkLines: CHUNK_LINES });
}

/** Pays almost everybody the same, and makes a payroll of last month of it. */
export async function payLastMonth(database: BenchDatabase, company: Payer): Promise<void> {
  const draftId = await makeDraft(database, company, SAME);
  await database.settle();
  await payFloor(database, company, { draftId });
  await using owner = await connect(database.superuserUrl);
  await owner.client.query(
    `UPDATE payroll_batch SET created_at = created_at - interval '1 month',
            processed_at = processed_at - interval '1 month'`,
  );
}
