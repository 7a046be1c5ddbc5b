import { sql } from 'kysely';
import { DEPOSIT_METHODS } from '#contract/deposits.ts';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** A row for each method: its limits and its fee, as in `depositFeeMinor`. */
const METHODS = sql`(VALUES ${sql.join(
  Object.entries(DEPOSIT_METHODS).map(
    ([id, { fee, minMinor, maxMinor }]) => sql`(${sql.lit(id)}, ${sql.lit(minMinor)}::bigint,
      ${sql.lit(maxMinor)}::bigint, ${sql.lit(fee.basisPoints)}::bigint,
      ${sql.lit(fee.fixedMinor)}::bigint)`,
  ),
)}) AS method (id, min_minor, max_minor, basis_points, fixed_minor)`;

/** A change of a method's limits or fee must give the old ones an end in time here. */
export const depositTerms: ScopedCheck = {
  name: 'deposit-terms',
  query: (scope) =>
    faulty({
      id: 'deposit.id',
      from: sql`deposit LEFT JOIN ${METHODS} ON method.id = deposit.method`,
      where: scope.deposit('deposit.id'),
      faults: [
        ['method.id IS NULL', 'came by %s, which is no method', 'deposit.method'],
        [
          'deposit.amount_minor NOT BETWEEN method.min_minor AND method.max_minor',
          'is of %s; by %s, from %s to %s are allowed',
          'deposit.amount_minor',
          'deposit.method',
          'method.min_minor',
          'method.max_minor',
        ],
        [
          `deposit.fee_minor
             <> (deposit.amount_minor * method.basis_points + 5000) / 10000 + method.fixed_minor`,
          'has a fee of %s, which is not that of %s for %s',
          'deposit.fee_minor',
          'deposit.method',
          'deposit.amount_minor',
        ],
      ],
    }),
};
