import { sql } from 'kysely';
import type { AdminBankAccount } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { compareNames } from '#server/lib/compare-names.ts';
import { verifiedNames } from '#server/modules/kyc/index.ts';
import { unlessDestroyed } from '#server/vault/vault.ts';
import type { Vault } from '#server/vault/vault.ts';
import { accountHashes, accountNumberPlace } from './account-number.ts';
import type { BankAccountRow } from './rows.ts';

export type BankAccountCheck = NonNullable<AdminBankAccount['check']>;
type Person = BankAccountCheck['alsoOf'][number];

/** So many other people with the same account are named; one is enough to ask. */
const MOST_PEOPLE = 5;

/**
 * Facts for an admin before verifying these bank accounts, by their ids: whether the holder's
 * name is the owner's, and who else has the same account. Of those that wait alone.
 */
export async function checkPending(
  reader: Reader,
  vault: Vault,
  accounts: readonly BankAccountRow[],
): Promise<Map<string, BankAccountCheck>> {
  const pending = accounts.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return new Map();
  const names = await verifiedNames(
    reader,
    { vault },
    pending.map(({ userId }) => userId),
  );
  const others = await findOthers(reader, vault, pending);
  return new Map(
    pending.map((account) => {
      const verifiedName = names.get(account.userId);
      const ownerName = verifiedName ?? account.ownerName;
      const check: BankAccountCheck = {
        nameMatch: compareNames(account.holderName, ownerName),
        ownerName,
        isNameVerified: verifiedName !== undefined,
        alsoOf: others.get(account.id) ?? [],
      };
      return [account.id, check];
    }),
  );
}

/**
 * Other people with the same accounts, removed ones too: an account that is passed from person to
 * person is one of them. The number is opened to look under every master key.
 */
async function findOthers(
  reader: Reader,
  vault: Vault,
  accounts: readonly BankAccountRow[],
): Promise<Map<string, Person[]>> {
  const { rows: sealed } = await sql<{ id: string; number: Buffer }>`
    SELECT id, account_number_encrypted AS number FROM bank_account
     WHERE id = ANY (${accounts.map(({ id }) => id)}::uuid[])`.execute(reader);
  const numbers = new Map(sealed.map(({ id, number }) => [id, number]));
  const wanted: { accountId: string; userId: string; hash: string }[] = [];
  for (const { id, userId, routingNumber } of accounts) {
    const number = numbers.get(id);
    if (number === undefined) continue;
    // Nobody is found by a number that was destroyed with the key of a person who left.
    const plain = await unlessDestroyed(vault.open(reader, userId, accountNumberPlace(id), number));
    if (plain === null) continue;
    for (const hash of accountHashes(vault, routingNumber, plain.toString('utf8'))) {
      wanted.push({ accountId: id, userId, hash: hash.toString('hex') });
    }
  }
  const { rows } = await sql<Person & { accountId: string }>`
    SELECT wanted."accountId" AS account_id, other.id, other.name, other.employee_number AS employee_id
      FROM json_to_recordset(${JSON.stringify(wanted)}::json)
             AS wanted ("accountId" uuid, "userId" uuid, hash text),
           LATERAL (
             SELECT DISTINCT app_user.id, app_user.name, app_user.employee_number
               FROM bank_account JOIN app_user ON app_user.id = bank_account.user_id
              WHERE account_number_hash = decode(wanted.hash, 'hex')
                AND bank_account.user_id <> wanted."userId"
              ORDER BY app_user.name, app_user.id LIMIT ${MOST_PEOPLE}) AS other`.execute(reader);
  const others = new Map<string, Person[]>();
  for (const { accountId, ...person } of rows) {
    const known = others.get(accountId) ?? [];
    if (known.length < MOST_PEOPLE && known.every(({ id }) => id !== person.id)) known.push(person);
    others.set(accountId, known);
  }
  return others;
}
