import { sql } from 'kysely';
import type { Department } from '#contract/company.ts';
import { emailRule } from '#contract/email.ts';
import { DEFAULT_DEPARTMENT, DEFAULT_POSITION } from '#contract/identity.ts';
import { fullName } from '#contract/person-name.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { drawEmployeeNumbers } from './assign-employee-number.ts';

export interface NewAccount {
  email: string;
  firstName: string;
  lastName: string;
  department?: Department;
  position?: string;
  /** Result of `hashPassword`, made outside the transaction; null until the person chooses one. */
  passwordHash: string | null;
}

/** Result for one of many: the person, or the reason why there is none. */
export type CreatedAccount = { id: string } | { refusal: AppError };

/**
 * Makes accounts for other people, in the caller's transaction and by a few statements however many
 * they are; `signUp` is for people who come by themselves. The people are accepted, and their addresses count
 * as confirmed: whoever adds a person vouches for both; without a password they get in by a mailed link
 * alone.
 *
 * @param isNumbered whether each gets an employee number, in the order given
 * @returns one for each account, in their order; the refusals are `account_exists`, also for an address
 *   that is among them twice, and `invalid_request` for an address that sign-in would not take. Nothing
 *   is left of who is refused.
 */
export async function createAccounts(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  accounts: readonly NewAccount[],
  { isNumbered }: { isNumbered: boolean },
): Promise<CreatedAccount[]> {
  const now = services.clock.now();
  const asked = accounts.map((account) => ({
    account,
    id: newId(now.getTime()),
    email: emailRule.clean(account.email),
  }));
  const valid = asked.filter(({ email }) => emailRule.problem(email) === undefined);
  const free = await withoutTaken(tx, valid);
  const numbers = isNumbered ? await drawEmployeeNumbers(tx, free.length) : [];
  const made = await insertPeople(
    tx,
    free.map((one, index) => ({ ...one, employeeNumber: numbers[index] ?? null })),
    now,
  );
  const added = free.filter(({ id }) => made.has(id));
  await insertPasswords(tx, added, now);
  for (const { id } of added) journal(tx, by, person, 'create', { id, at: now });
  return asked.map((one) => {
    if (made.has(one.id)) return { id: one.id };
    return { refusal: valid.includes(one) ? new AppError('account_exists') : invalidEmail() };
  });
}

/**
 * Makes one account, without an employee number.
 *
 * @throws {AppError} the refusals of `createAccounts`
 */
export async function createAccount(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  account: NewAccount,
): Promise<{ id: string }> {
  return theOne(await createAccounts(tx, services, by, [account], { isNumbered: false }));
}

/** The only one of those created. @throws {AppError} why there is none */
export function theOne(created: readonly CreatedAccount[]): { id: string } {
  const one = invariant(created[0], 'an account that is asked for is made or refused');
  if ('refusal' in one) throw one.refusal;
  return one;
}

/** The refusal of an address that sign-in would not take. */
export function invalidEmail(): AppError {
  return new AppError('invalid_request', {}, [
    { path: 'email', message: 'Enter a valid email address' },
  ]);
}

interface RequestedAccount {
  account: NewAccount;
  id: string;
  email: string;
}

/** Those whose address is free, each address once: no number is drawn for the others. */
async function withoutTaken<T extends RequestedAccount>(
  tx: Tx,
  requested: readonly T[],
): Promise<T[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM app_user
     WHERE email = ANY (${requested.map(({ email }) => email)}::text[])`.execute(tx);
  const taken = new Set(rows.map(({ email }) => email));
  return requested.filter(({ email }) => !taken.has(email) && taken.add(email));
}

/** Ids of those whose address nobody took in the same moment. */
async function insertPeople(
  tx: Tx,
  people: readonly (RequestedAccount & { employeeNumber: string | null })[],
  now: Date,
): Promise<Set<string>> {
  const values = people.map(({ id, email, employeeNumber, account }) => ({
    id,
    email,
    employee_number: employeeNumber,
    name: fullName(account),
    first_name: account.firstName,
    last_name: account.lastName,
    department: account.department ?? DEFAULT_DEPARTMENT,
    position: account.position ?? DEFAULT_POSITION,
  }));
  const { rows } = await sql<{ id: string }>`
    INSERT INTO app_user (id, email, email_verified, name, first_name, last_name, employee_number,
                          department, position, accepted_at, created_at, updated_at)
    SELECT id, email, true, name, first_name, last_name, employee_number, department, position,
           ${now}::timestamptz, ${now}, ${now}
      FROM json_to_recordset(${JSON.stringify(values)}::json)
        AS one (id uuid, email text, name text, first_name text, last_name text,
                employee_number text, department text, position text)
    ON CONFLICT (email) DO NOTHING
    RETURNING id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

async function insertPasswords(
  tx: Tx,
  people: readonly RequestedAccount[],
  now: Date,
): Promise<void> {
  const values = people.flatMap(({ id, account: { passwordHash } }) =>
    passwordHash === null ? [] : [{ id, hash: passwordHash }],
  );
  if (values.length === 0) return;
  await sql`
    INSERT INTO auth_account (user_id, password, created_at, updated_at)
    SELECT id, hash, ${now}::timestamptz, ${now}
      FROM json_to_recordset(${JSON.stringify(values)}::json) AS one (id uuid, hash text)`.execute(
    tx,
  );
}
