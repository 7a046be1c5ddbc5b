import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Department } from '#contract/company.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';

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

/** An amount that is valid on a day. */
export interface ValidAmount {
  amountMinor: bigint;
  validFrom: string;
}

/** Amounts of a person that are valid on a day, by wallet type; nothing for a type that was never paid. */
export async function amountsOn(
  reader: Reader,
  userId: string,
  on: string,
): Promise<ReadonlyMap<WalletType, ValidAmount>> {
  const { rows } = await sql<ValidAmount & { walletType: WalletType }>`
    SELECT DISTINCT ON (line.wallet_type) line.wallet_type, line.amount_minor, line.valid_from
      FROM usual_pay_change AS change JOIN usual_pay_line AS line ON line.change_id = change.id
     WHERE change.user_id = ${userId} AND line.counts AND line.valid_from <= ${on}::date
     ORDER BY line.wallet_type, line.valid_from DESC, line.change_id DESC`.execute(reader);
  return new Map(rows.map(({ walletType, ...amount }) => [walletType, amount]));
}
