import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { createVault } from '#server/vault/store.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
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
    await sealWaitingNumbers(database);
    await seedAdmin(database.db);
    await record(database);
  }
  const { people, runs } = await readSize(database);
  const admin = await database.db
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow();
  const employeeId = idText('person', Math.ceil(people / 2));
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
 * Encrypts the numbers of the waiting bank accounts, under the server's own key: for each, an admin
 * sees other people with the same number.
 */
async function sealWaitingNumbers({
  db,
  dataDir,
  superuserUrl,
}: Pick<BenchDatabase, 'db' | 'dataDir' | 'superuserUrl'>): Promise<void> {
  const { masterKeys } = readOrMakeLocalSecrets(dataDir);
  const vault = createVault({ masterKeys });
  const waiting = await db
    .selectFrom('bankAccount')
    .select(['id', 'userId'])
    .where('status', '=', 'pending')
    .execute();
  const [table, column] = ['bank_account', 'account_number_encrypted'] as const;
  const plain = waiting.map(({ id, userId }, index) => ({
    userId,
    place: { table, column, rowId: id },
    plain: String(100_000_000 + index),
  }));
  const sealed = await withTx(db, (tx) => vault.sealAll(tx, plain));
  await using owner = await connect(superuserUrl);
  await owner.client.query(
    `UPDATE bank_account SET account_number_encrypted = given.number
       FROM unnest($1::uuid[], $2::bytea[]) AS given (id, number)
      WHERE bank_account.id = given.id`,
    [waiting.map(({ id }) => id), sealed],
  );
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
