import { sql } from 'kysely';
import { systemClock } from '#server/lib/clock.ts';
import { createVault } from '#server/vault/store.ts';
import type { Db } from '#server/db/tx.ts';
import { createPool } from '#server/db/pool.ts';
import { createTestServices } from '#test/factories/services.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { signInCookie } from '#test/factories/people.ts';
import { recordCompany } from '#test/factories/records.ts';
import { randomBytes } from 'node:crypto';
import type { BenchDatabase } from './database.ts';
import { connect, dropIndexes } from './database.ts';

/** An employee who may request withdrawals over HTTP. */
export interface Payee {
  userId: string;
  walletId: string;
  ledgerAccountId: string;
  bankAccountId: string;
  /** Cookie header of their session. */
  cookie: string;
}

export interface Company {
  admin: { id: string; cookie: string };
  payees: readonly Payee[];
  /** Cookies of further administrators. */
  furtherAdmins: readonly string[];
}

/**
 * Creates the company: employees with wallets, some of them with an approved identity, a verified
 * bank account and a session, and an admin. It verifies as sound.
 *
 * @param url future address of the server: cookies depend on it
 */
export async function makeCompany(
  { db, appUrl, superuserUrl }: Pick<BenchDatabase, 'db' | 'appUrl' | 'superuserUrl'>,
  {
    people,
    payees,
    admins = 1,
    url,
  }: { people: number; payees: number; admins?: number; url: string },
): Promise<Company> {
  await using owner = await connect(superuserUrl);
  // Searches have indexes of three letters each: to build one takes less than to add to it person by person.
  const indexes = await dropIndexes(owner, ['app_user', 'wallet', 'ledger_account', 'audit_event']);
  const employees = await seedEmployees(db, { count: people });
  const admin = await seedAdmin(db);
  const others: string[] = [];
  while (others.length < admins - 1) others.push((await seedAdmin(db)).id);
  const chosen = employees.slice(0, payees).map(({ id, walletId = '', ledgerAccountId = '' }) => ({
    userId: id,
    walletId,
    ledgerAccountId,
  }));
  const userIds = chosen.map(({ userId }) => userId);
  const bankAccounts = await approve(db, userIds, admin.id);
  await recordCompany(db);
  await owner.run(indexes);

  const pool = createPool({ url: appUrl, max: 4 });
  const vault = createVault({ masterKeys: [{ id: 'bench', key: randomBytes(32) }] });
  const identity = createTestIdentity(
    { db, pool },
    { ...createTestServices(), clock: systemClock, vault },
    { url },
  );
  const signedIn: Payee[] = [];
  for (const payee of chosen) {
    const cookie = await signInCookie(identity, payee.userId);
    signedIn.push({ ...payee, bankAccountId: bankAccounts.get(payee.userId) ?? '', cookie });
  }
  const adminCookie = await signInCookie(identity, admin.id);
  const furtherAdmins: string[] = [];
  for (const id of others) furtherAdmins.push(await signInCookie(identity, id));
  await confirmForRun(db);
  await pool.end();
  return { admin: { id: admin.id, cookie: adminCookie }, payees: signedIn, furtherAdmins };
}

/** Confirms all sessions for a day: a run goes on for longer than a confirmation holds. */
export async function confirmForRun(db: Db): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000);
  await db.updateTable('authSession').set({ confirmedAt: tomorrow }).execute();
}

/** Gives people an approved identity and a verified bank account; returns the latter by person. */
async function approve(
  db: Db,
  userIds: readonly string[],
  adminId: string,
): Promise<Map<string, string>> {
  await sql`
    INSERT INTO kyc_application (id, user_id, status, answers_encrypted, submitted_at, decided_by,
                                 decided_at)
    SELECT gen_random_uuid(), id, 'approved', ''::bytea, now(), ${adminId}, now()
      FROM unnest(${userIds}::uuid[]) AS id`.execute(db);
  const { rows } = await sql<{ id: string; userId: string }>`
    INSERT INTO bank_account (id, user_id, bank_name, account_type, account_number_encrypted,
                              account_number_hash, hash_key_id, last4, routing_number, holder_name,
                              status, moved_by, moved_at)
    SELECT gen_random_uuid(), id, 'Cascade Federal Credit Union', 'checking', ''::bytea,
           uuid_send(id), 'bench', '2208', '084207311', 'Bench', 'verified', ${adminId}, now()
      FROM unnest(${userIds}::uuid[]) AS id
    RETURNING id, user_id`.execute(db);
  return new Map(rows.map(({ id, userId }) => [userId, id]));
}
