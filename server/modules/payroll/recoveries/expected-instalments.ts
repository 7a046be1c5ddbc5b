import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayrollPreview } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { instalmentFrom } from '#contract/recovery.ts';
import type { RecoveryTerms } from '#contract/recovery.ts';
import type { WalletType } from '#contract/wallets.ts';

/** Terms of a recovery as JSON has them; amounts are minor units. */
type TermsJson = {
  [Name in keyof RecoveryTerms]: RecoveryTerms[Name] extends bigint ? string : number;
};

interface Paid {
  walletType: WalletType;
  currency: Currency;
  /** Day of the company on which it is paid. */
  day: string;
}

/**
 * SQL of the recoveries that take an instalment of a payroll to a person, the oldest first, as they are now: what other
 * payrolls take until then is not known.
 *
 * @param userId SQL of the person's id
 */
export function recoveriesFrom(
  userId: RawBuilder<unknown>,
  { walletType, currency, day }: Paid,
): RawBuilder<TermsJson[] | null> {
  return sql`(
    SELECT json_agg(json_build_object('instalmentMinor', instalment_minor::text, 'percent', percent,
                      'leftMinor', (recovery.amount_minor - recovered_minor)::text) ORDER BY recovery.id)
      FROM recovery
     WHERE recovery.user_id = ${userId} AND recovery.status = 'accepted' AND starts_on <= ${day}::date
       AND recovery.wallet_type = ${walletType} AND recovery.currency = ${currency})`;
}

/** Amount that recoveries take of a payment, one after the other, as `planInstalments`. */
export function deductedFrom(amountMinor: bigint, recoveries: readonly TermsJson[] | null): bigint {
  return (recoveries ?? []).reduce((takenMinor, { instalmentMinor, leftMinor, percent }) => {
    const terms = {
      percent,
      instalmentMinor: BigInt(instalmentMinor),
      leftMinor: BigInt(leftMinor),
    };
    return takenMinor + instalmentFrom(terms, { amountMinor, takenMinor });
  }, 0n);
}

/** A person of `decided` whose payment recoveries take from, as JSON. */
export interface DebtorJson {
  userId: string;
  amountMinor: string;
  recoveries: TermsJson[] | null;
}

/** SQL of the people of `decided` (`decideLines`) with an accepted recovery, which most payrolls have none of. */
export function debtorsOf(paid: Paid): RawBuilder<DebtorJson[]> {
  return sql`(
    SELECT coalesce(json_agg(json_build_object('userId', decided.user_id, 'amountMinor', decided.amount_minor::text,
                      'recoveries', ${recoveriesFrom(sql`decided.user_id`, paid)})), '[]')
      FROM decided
     WHERE wallet_id IS NOT NULL
       AND decided.user_id IN (SELECT user_id FROM recovery WHERE status = 'accepted'))`;
}

/** Amounts that recoveries take of a payroll, in minor units by the ids of the people, without those of nothing. */
export function deductedMinors(debtors: readonly DebtorJson[]): Map<string, bigint> {
  return new Map(
    debtors.flatMap(({ userId, amountMinor, recoveries }) => {
      const minor = deductedFrom(BigInt(amountMinor), recoveries);
      return minor === 0n ? [] : [[userId, minor] as const];
    }),
  );
}

/** The people from whom the orders of one payroll deduct, each once, and the sum. @param each `deductedMinors` of each order */
export function presentDeducted(
  each: readonly ReadonlyMap<string, bigint>[],
  currency: Currency,
): PayrollPreview['deducted'] {
  const minors = each.flatMap((ofOrder) => [...ofOrder.values()]);
  return {
    people: new Set(each.flatMap((ofOrder) => [...ofOrder.keys()])).size,
    total: money(
      minors.reduce((sum, minor) => sum + minor, 0n),
      currency,
    ),
  };
}
