import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { createVault } from '#server/vault/store.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { COMPLETE_ANSWERS } from '#test/factories/kyc.ts';
import { seedAdmin } from '#test/factories/payroll.ts';
import { signInCookie } from '#test/factories/people.ts';
import { recordCompany } from '#test/factories/records.ts';
import { createTestServices } from '#test/factories/services.ts';
import type { BenchDatabase } from './database.ts';
import {
  DEPARTMENTS,
  runStatements,
  settlingStatements,
  systemAccountStatement,
} from './lists-ledger.ts';
import { BENCH_ID_FUNCTION, idText, peopleStatements } from './lists-people.ts';
import type { Size } from './lists-people.ts';
import { connect, dropIndexes } from './database.ts';

/** A deposit and a completed withdrawal of each person, of two entries each. */
const ENTRIES_BESIDE_PAYROLL = 4;

export interface ListCompany {
  /** Cookie headers, by the role that an operation requires. */
  cookies: { employee: string; admin: string };
  /** A batch in the middle of the history. */
  batchId: string;
  /** A file of as many employees as there are. */
  importId: string;
  /** An address that was sent a message about each employee. */
  webhookId: string;
  /** Owner of the session cookie. */
  personId: string;
  /** Actual numbers; whole runs of payroll come as near to the requested ones as possible. */
  people: number;
  entries: number;
}

/**
 * Fills a database with that many people and about that many entries, unless it has a company. A superuser's statements
 * skip triggers and foreign keys: ten million rows one by one would take an hour. It verifies as sound, and waits to be
 * sealed.
 *
 * @param url future address of the server: cookies depend on it
 */
export async function makeListCompany(
  database: Pick<BenchDatabase, 'db' | 'appUrl' | 'superuserUrl' | 'dataDir' | 'isMade'>,
  { people: asked, entries, url }: { people: number; entries: number; url: string },
): Promise<ListCompany> {
  if (!database.isMade) {
    const runs = Math.max(1, Math.round((entries / asked - ENTRIES_BESIDE_PAYROLL) / 2));
    await fill(database, { people: asked, runs });
    await sealShown(database, { people: asked, runs });
    await seedAdmin(database.db);
    await record(database);
  }
  return signInToCompany(database, await readSize(database), url);
}

/** The things of a company that is there, with sessions of its first admin and of the person in the middle. */
export async function signInToCompany(
  database: Pick<BenchDatabase, 'db' | 'appUrl'>,
  { people, runs }: Size,
  url: string,
): Promise<ListCompany> {
  const admin = await database.db
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('createdAt')
    .executeTakeFirstOrThrow();
  const employeeId = idText('person', middleOf(people));
  const pool = createPool({ url: database.appUrl, max: 2 });
  const vault = createVault({ masterKeys: [{ id: 'bench', key: randomBytes(32) }] });
  const services = { ...createTestServices(), clock: systemClock, vault };
  const identity = createTestIdentity({ db: database.db, pool }, services, { url });
  const cookies = {
    employee: await signInCookie(identity, employeeId),
    admin: await signInCookie(identity, admin.id),
  };
  await pool.end();
  const batchId = idText('batch', Math.ceil(runs / 2) * DEPARTMENTS);
  const importId = idText('employeeImport', 1);
  return {
    cookies,
    batchId,
    importId,
    webhookId: idText('webhook', 1),
    personId: employeeId,
    people,
    entries: people * (2 * runs + ENTRIES_BESIDE_PAYROLL),
  };
}

async function readSize({ db }: Pick<BenchDatabase, 'db'>): Promise<Size> {
  const { rows } = await sql<{ people: bigint; batches: bigint }>`
    SELECT (SELECT count(*) FROM app_user WHERE role = 'employee') AS people,
           (SELECT count(*) FROM payroll_batch) AS batches`.execute(db);
  const [size] = rows;
  return { people: Number(size?.people), runs: Number(size?.batches) / DEPARTMENTS };
}

async function fill(
  { superuserUrl }: Pick<BenchDatabase, 'superuserUrl'>,
  size: Size,
): Promise<void> {
  await using one = await connect(superuserUrl);
  await using other = await connect(superuserUrl);
  await one.run([BENCH_ID_FUNCTION, ...peopleStatements(size), systemAccountStatement()]);
  // Building an index takes seconds; maintaining it during the inserts takes minutes.
  const indexes = await dropIndexes(one, ['ledger_entry', 'ledger_transaction', 'payroll_line']);
  const runs = Array.from({ length: size.runs }, (_, index) => runStatements(size, index + 1));
  await Promise.all([
    one.run(runs.flatMap(({ ledger }) => ledger)),
    other.run(runs.flatMap(({ payroll }) => payroll)),
  ]);
  await one.run([...settlingStatements(size), ...indexes, 'DROP FUNCTION bench_id']);
}

/**
 * Encrypts under the server's own key what screens open: the numbers of the waiting bank accounts, each with other people who have
 * the same, and the answers of the applications that wait and of the person in the middle.
 */
async function sealShown(
  database: Pick<BenchDatabase, 'db' | 'dataDir' | 'superuserUrl'>,
  { people }: Size,
): Promise<void> {
  const { db } = database;
  const waiting = await db
    .selectFrom('bankAccount')
    .select(['id', 'userId'])
    .where('status', '=', 'pending')
    .execute();
  await seal(database, ['bank_account', 'account_number_encrypted'], waiting, (index) =>
    String(100_000_000 + index),
  );
  const shown = await db
    .selectFrom('kycApplication')
    .select(['id', 'userId'])
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['submitted', 'in_review']),
        eb('userId', '=', idText('person', middleOf(people))),
      ]),
    )
    .execute();
  const answers = JSON.stringify(COMPLETE_ANSWERS);
  await seal(database, ['kyc_application', 'answers_encrypted'], shown, () => answers);
}

async function seal(
  { db, dataDir, superuserUrl }: Pick<BenchDatabase, 'db' | 'dataDir' | 'superuserUrl'>,
  [table, column]: readonly [string, string],
  rows: readonly { id: string; userId: string }[],
  plainOf: (index: number) => string,
): Promise<void> {
  const { masterKeys } = readOrMakeLocalSecrets(dataDir);
  const vault = createVault({ masterKeys });
  const plain = rows.map(({ id, userId }, index) => ({
    userId,
    place: { table, column, rowId: id },
    plain: plainOf(index),
  }));
  const sealed = await withTx(db, (tx) => vault.sealAll(tx, plain));
  await using owner = await connect(superuserUrl);
  await owner.client.query(
    `UPDATE ${table} SET ${column} = given.sealed
       FROM unnest($1::uuid[], $2::bytea[]) AS given (id, sealed)
      WHERE ${table}.id = given.id`,
    [rows.map(({ id }) => id), sealed],
  );
}

/** Number of the person who signs in. */
function middleOf(people: number): number {
  return Math.ceil(people / 2);
}

/** Records the events of the rows, and puts everything among what waits to be sealed. */
async function record({
  db,
  superuserUrl,
}: Pick<BenchDatabase, 'db' | 'superuserUrl'>): Promise<void> {
  await using owner = await connect(superuserUrl);
  const indexes = await dropIndexes(owner, ['audit_event']);
  await recordCompany(db);
  await owner.run([
    ...indexes,
    'INSERT INTO ledger_account_unsealed (account_id) SELECT id FROM ledger_account ON CONFLICT DO NOTHING',
    'INSERT INTO ledger_unsealed (transaction_id) SELECT id FROM ledger_transaction ON CONFLICT DO NOTHING',
    'INSERT INTO audit_unsealed (audit_event_id) SELECT id FROM audit_event ON CONFLICT DO NOTHING',
  ]);
}
