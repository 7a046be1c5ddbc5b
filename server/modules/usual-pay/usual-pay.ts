import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Department } from '#contract/company.ts';
import { USUAL_PAY_ALONE_DAYS } from '#contract/usual-pay.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { isPaidSql } from './paid.ts';

/** A person's usual pay into a wallet of one type. */
export interface UsualPayRow {
  userId: string;
  /** Minor units of the company's currency, above zero. */
  amountMinor: bigint;
}

/**
 * SQL of the usual pay into wallets of one type that is valid on a day: a query with the columns user_id and
 * amount_minor, one row for each person with an amount above zero, whether they can be paid or not. One walk through the
 * index `usual_pay_line_valid`.
 *
 * @param on `2026-12-11`
 * @param department of the people; all if left out
 */
export function usualPay(
  walletType: WalletType,
  on: string,
  department?: Department,
): RawBuilder<UsualPayRow> {
  const among =
    department === undefined
      ? sql``
      : sql`AND user_id IN (SELECT id FROM app_user WHERE department = ${department})`;
  return sql<UsualPayRow>`
    SELECT user_id, amount_minor
      FROM (SELECT DISTINCT ON (user_id) user_id, amount_minor
              FROM usual_pay_line
             WHERE counts AND wallet_type = ${walletType} AND valid_from <= ${on}::date ${among}
             ORDER BY user_id, valid_from DESC, change_id DESC) AS valid
     WHERE amount_minor > 0`;
}

/** A person as their usual pay is read and changed: on a day, as of now. */
export interface PersonOnDay {
  id: string;
  name: string;
  /** True if payroll can pay them. */
  isPaid: boolean;
  /** Types of their open accounts. */
  open: WalletType[];
  /** True if a change of theirs waits. */
  waits: boolean;
  /** Sum of the differences that one person alone made for them in the last `USUAL_PAY_ALONE_DAYS`, in minor units. */
  aloneMinor: bigint;
  /** Amounts of that day in minor units, zero included; nothing for a type that was never paid. */
  valid: Partial<Record<WalletType, { minor: string; from: string }>>;
}

/** Reads people by id, each on the day that is asked for. People who do not exist are left out. */
export async function readPeople(
  reader: Reader,
  asked: readonly { userId: string; validFrom: string }[],
  now: Date,
): Promise<ReadonlyMap<string, PersonOnDay>> {
  const days = asked.map(({ userId, validFrom }) => ({ id: userId, day: validFrom }));
  const aloneSince = new Date(now.getTime() - USUAL_PAY_ALONE_DAYS * 86_400_000);
  const { rows } = await sql<PersonOnDay>`
    SELECT person.id, person.name, ${isPaidSql('person')} AS is_paid,
           ARRAY(SELECT type FROM wallet
                  WHERE wallet.user_id = person.id AND closed_at IS NULL) AS open,
           EXISTS (SELECT FROM usual_pay_change AS change
                    WHERE change.user_id = person.id AND change.status = 'waiting') AS waits,
           (SELECT coalesce(sum(abs(line.amount_minor - line.before_minor)), 0)::bigint
              FROM usual_pay_change AS change JOIN usual_pay_line AS line ON line.change_id = change.id
             WHERE change.user_id = person.id AND change.status = 'confirmed'
               AND NOT change.needs_second AND change.created_at > ${aloneSince}) AS alone_minor,
           (SELECT coalesce(json_object_agg(wallet_type, json_build_object(
                     'minor', amount_minor::text, 'from', valid_from)), '{}')
              FROM (SELECT DISTINCT ON (line.wallet_type)
                           line.wallet_type, line.amount_minor, line.valid_from
                      FROM usual_pay_change AS change
                      JOIN usual_pay_line AS line ON line.change_id = change.id
                     WHERE change.user_id = person.id AND line.counts AND line.valid_from <= one.day
                     ORDER BY line.wallet_type, line.valid_from DESC, line.change_id DESC) AS valid) AS valid
      FROM json_to_recordset(${JSON.stringify(days)}::json) AS one (id uuid, day date)
      JOIN app_user AS person ON person.id = one.id`.execute(reader);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Reads one person as `readPeople` does. @throws {AppError} `person_not_found` */
export async function readPerson(
  reader: Reader,
  asked: { userId: string; validFrom: string },
  now: Date,
): Promise<PersonOnDay> {
  const person = (await readPeople(reader, [asked], now)).get(asked.userId);
  if (person === undefined) throw new AppError('person_not_found');
  return person;
}
