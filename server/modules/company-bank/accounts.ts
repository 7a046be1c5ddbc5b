import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { Place, Vault } from '#server/vault/vault.ts';
import type { StatementAccount } from './statements/statement.ts';

const PURPOSE = 'company-bank-number';

function numberPlace(id: string): Place {
  return { table: 'company_bank_account', column: 'number_encrypted', rowId: id };
}

export type CompanyAccount = RouteReply<'adminGetCompanyBank'>['accounts'][number];

/**
 * Adds one of the company's own accounts, in its currency. The number rests encrypted under the data key of who adds it.
 *
 * @throws {AppError} `company_account_exists`; `invalid_request` for a number that is no IBAN without a routing number
 */
export async function addCompanyAccount(
  tx: Tx,
  { clock, vault }: Services,
  by: CommandContext,
  { bankName, label, number, routingNumber }: RouteArguments<'adminAddCompanyAccount'>['body'],
): Promise<CompanyAccount> {
  const isIban = /^[A-Z]/.test(number);
  if (isIban !== (routingNumber === '')) {
    const message = isIban ? 'An IBAN has no routing number' : 'Enter the routing number';
    throw new AppError('invalid_request', {}, [{ path: 'routingNumber', message }]);
  }
  const at = clock.now();
  const id = newId(at.getTime());
  const { currency } = await readSettings(tx);
  if (await isKnown(tx, vault, number)) throw new AppError('company_account_exists');
  const { hash, keyId } = vault.lookupHash(PURPOSE, number);
  const last4 = number.slice(-4);
  try {
    await tx
      .insertInto('companyBankAccount')
      .values({
        id,
        bankName,
        label,
        currency,
        last4,
        addedAt: at,
        routingNumber: isIban ? null : routingNumber,
        numberEncrypted: await vault.seal(tx, by.actor.id, numberPlace(id), number),
        numberOwner: by.actor.id,
        numberHash: hash,
        hashKeyId: keyId,
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('company_account_exists');
    throw error;
  }
  record(tx, by, 'company_bank_account.added', {
    id,
    details: { bankName, label, last4, routingNumber, numberHash: hash.toString('hex') },
  });
  return {
    id,
    bankName,
    label,
    last4,
    routingNumber: isIban ? null : routingNumber,
    closing: null,
  };
}

async function isKnown(tx: Tx, vault: Vault, number: string): Promise<boolean> {
  const hashes = vault.lookupHashes(PURPOSE, number).map(({ hash }) => hash);
  const { rows } = await sql`
    SELECT FROM company_bank_account WHERE number_hash = ANY (${hashes}::bytea[])`.execute(tx);
  return rows.length > 0;
}

/** An account with its last statement. */
export interface AccountRow {
  id: string;
  bankName: string;
  label: string;
  currency: Currency;
  routingNumber: string | null;
  last4: string;
  numberHash: Buffer;
  /** Number of its last statement, its last day and its closing balance; null before the first. */
  lastNumber: number | null;
  lastDay: string | null;
  closingMinor: bigint | null;
}

/** SQL condition that an account of the company, whose id a column has, is in a currency. */
export function isOfCurrency(
  accountId: RawBuilder<unknown>,
  currency: Currency,
): RawBuilder<boolean> {
  return sql<boolean>`${accountId} IN (SELECT id FROM company_bank_account WHERE currency = ${currency})`;
}

const ACCOUNTS = sql`
  SELECT account.id, bank_name, label, account.currency, routing_number, last4, number_hash,
         last.number AS last_number, last.to_day::text AS last_day, last.closing_minor
    FROM company_bank_account AS account
    LEFT JOIN LATERAL (SELECT number, to_day, closing_minor FROM bank_statement
                        WHERE account_id = account.id ORDER BY number DESC LIMIT 1) AS last ON true`;

/** The company's accounts, the oldest first. */
export async function companyAccounts(reader: Reader): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`${ACCOUNTS} ORDER BY added_at, account.id`.execute(reader);
  return rows;
}

/** @throws {AppError} `company_account_not_found` */
export async function findAccount(reader: Reader, id: string): Promise<AccountRow> {
  const { rows } = await sql<AccountRow>`${ACCOUNTS} WHERE account.id = ${id}`.execute(reader);
  if (rows[0] === undefined) throw new AppError('company_account_not_found');
  return rows[0];
}

/** Takes the lock under which statements of an account are imported one after another, and reads it. */
export async function lockAccount(tx: Tx, id: string): Promise<AccountRow> {
  await sql`SELECT FROM company_bank_account WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return findAccount(tx, id);
}

export function presentAccount(row: AccountRow): CompanyAccount {
  const { id, bankName, label, last4, routingNumber, lastDay, closingMinor, currency } = row;
  const isOpen = lastDay === null || closingMinor === null;
  return {
    id,
    bankName,
    label,
    last4,
    routingNumber,
    closing: isOpen ? null : { day: lastDay, amount: money(closingMinor, currency) },
  };
}

/**
 * Checks that a statement is of this account. A file without an account is of the one that somebody chose. Leading zeros
 * of a number, and a routing number that is no ABA number, do not count.
 *
 * @throws {AppError} `statement_other_account`
 */
export function checkAccount(
  vault: Vault,
  account: AccountRow,
  named: StatementAccount | null,
): void {
  if (named === null) return;
  const number = (named.iban ?? named.accountNumber ?? '').toUpperCase();
  const forms = [number, number.replace(/^0+/, '')];
  const isSameNumber = forms.some((form) =>
    vault.lookupHashes(PURPOSE, form).some(({ hash }) => hash.equals(account.numberHash)),
  );
  const { routingNumber } = named;
  const isOtherBank =
    account.routingNumber !== null &&
    routingNumber !== null &&
    /^\d{9}$/.test(routingNumber) &&
    routingNumber !== account.routingNumber;
  if (isSameNumber && !isOtherBank) return;
  throw new AppError('statement_other_account', {
    named: `••${number.slice(-4)}`,
    account: `••${account.last4}`,
  });
}
