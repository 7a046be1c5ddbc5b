import { sql } from 'kysely';
import type { Department } from '#contract/company.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';

export interface SeededEmployee {
  id: string;
  /** Absent for a person without a wallet. */
  walletId?: string;
  ledgerAccountId?: string;
}

/** Employees inserted by one statement; a wallet opens through the ledger's own function. */
const SEED_CHUNK = 10_000;

/**
 * Makes `count` employees with an empty wallet each, by a few set-based statements: 100,000 take
 * seconds. Their account numbers are not real ones and cannot be revealed.
 *
 * @param walletType `null` for people without a wallet
 */
export async function seedEmployees(
  db: Db,
  {
    count,
    department = 'engineering',
    walletType = 'salary',
  }: { count: number; department?: Department; walletType?: WalletType | null },
): Promise<SeededEmployee[]> {
  const seeded: SeededEmployee[] = [];
  // So many people are paid more than a company's limit for one payroll unless it sets another.
  if (count > SEED_CHUNK) {
    await sql`UPDATE company_settings SET payroll_batch_limit_minor = 10000000000000`.execute(db);
  }
  while (seeded.length < count) {
    const size = Math.min(SEED_CHUNK, count - seeded.length);
    const people = Array.from({ length: size }, () => ({
      id: newId(),
      ...(walletType === null ? {} : { walletId: newId(), ledgerAccountId: newId() }),
    }));
    await insertPeople(db, people, department, walletType);
    seeded.push(...people);
  }
  return seeded;
}

/** An admin, as commands take one. */
export async function seedAdmin(db: Db, name = 'Renee Albright'): Promise<Actor> {
  const id = newId();
  const [firstName = '', lastName = ''] = name.split(' ');
  await sql`
    INSERT INTO app_user (id, email, name, first_name, last_name, role, accepted_at)
    VALUES (${id}, ${`${id}@payroll.test`}, ${name}, ${firstName}, ${lastName}, 'admin', now())`.execute(
    db,
  );
  return { id, role: 'admin', name };
}

async function insertPeople(
  db: Db,
  people: readonly SeededEmployee[],
  department: Department,
  walletType: WalletType | null,
): Promise<void> {
  const ids = people.map((person) => person.id);
  await withTx(db, async (tx) => {
    // Last names in no order, so that lines (by name) and accounts (by age) do not run in step.
    await sql`
      INSERT INTO app_user (id, email, name, first_name, last_name, employee_number, department,
                            accepted_at)
      SELECT id, id || '@payroll.test', 'Person ' || surname, 'Person', surname,
             'TR-' || number, ${department}, now()
        FROM (SELECT id, 'Of' || left(md5(id::text), 8) AS surname,
                     nextval('employee_number_seq') AS number
                FROM unnest(${ids}::uuid[]) AS id) AS person`.execute(tx);
    if (walletType === null) return;
    const accounts = people.map((person) => person.ledgerAccountId ?? null);
    await sql`
      SELECT count(ledger_account_open(account, ${walletType}, owner, 'USD', 0))
        FROM unnest(${accounts}::uuid[], ${ids}::uuid[]) AS opened (account, owner)`.execute(tx);
    await sql`
      INSERT INTO wallet (id, user_id, type, ledger_account_id, account_number_encrypted,
                          account_number_hash, hash_key_id, last4)
      SELECT id, owner, ${walletType}, account, ''::bytea, sha256(uuid_send(id)), 'seed', '0000'
        FROM unnest(${people.map((person) => person.walletId ?? null)}::uuid[], ${ids}::uuid[],
                    ${accounts}::uuid[]) AS opened (id, owner, account)`.execute(tx);
  });
}
