import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { faulty, listed, union } from './check.ts';
import type { Fault, ScopedCheck } from './check.ts';
import { MOVEMENTS } from './movements.ts';
import type { Movement } from './movements.ts';
import { recordCheck } from './records.ts';
import type { Within } from './scope.ts';

/** The checks that each movement is what was requested, held and posted: one amount of one person. */
export const movementChecks: readonly ScopedCheck[] = MOVEMENTS.flatMap((movement) => [
  posting(movement),
  wallets(movement),
  recordCheck(movement),
  ...(movement.heldIn === undefined ? [] : [hold(movement), returned(movement)]),
]);

/** Holds and reversals that belong to nothing are reported once. */
const reportsStray = ({ table }: Movement) => table === 'withdrawal';

/** SQL of the condition that a row is in a status in which it is posted. */
function isPosted({ postedIn }: Movement): RawBuilder<unknown> {
  return postedIn === undefined ? sql`true` : sql`thing.status IN (${listed(postedIn)})`;
}

function posting(movement: Movement): ScopedCheck {
  const { name, table, kind, reference, poster, more = {} } = movement;
  const sides = movement.wallets.map(({ wallet }, index) =>
    sql.raw(`
      LEFT JOIN wallet AS wallet${index} ON wallet${index}.id = ${wallet}
      LEFT JOIN ledger_entry AS entry${index} ON entry${index}.transaction_id = posting.id
            AND entry${index}.account_id = wallet${index}.ledger_account_id`),
  );
  const amounts = movement.wallets.map(({ sign }, index): Fault => [
    `entry${index}.amount IS DISTINCT FROM ${sign} * thing.amount_minor`,
    `moves %s on the account of a wallet; the ${name} %s is of %s`,
    ...[`coalesce(entry${index}.amount, 0)`, 'thing.id', 'thing.amount_minor'],
  ]);
  const named =
    movement.heldIn === undefined
      ? 'thing.ledger_transaction_id'
      : 'concat(thing.transaction_reference, thing.ledger_transaction_id)';
  const unposted: readonly Fault[] =
    movement.postedIn === undefined
      ? []
      : [
          [
            sql`NOT ${isPosted(movement)}`,
            `is for the ${name} %s, which is %s`,
            'thing.id',
            'thing.status',
          ],
        ];
  return {
    name: `${name}-posting`,
    query: (scope) =>
      union(
        faulty({
          id: 'posting.id',
          from: sql`ledger_transaction AS posting
            LEFT JOIN ${sql.table(table)} AS thing ON thing.id = posting.subject_id
            ${sql.join(sides, sql``)} ${sql.raw(more.postingFrom ?? '')}`,
          where: sql`posting.kind = ${kind} AND ${scope.transactions('posting.id')}`,
          faults: [
            ['thing.id IS NULL', `is for no ${name}`],
            ...unposted,
            [
              'thing.ledger_transaction_id <> posting.id',
              `is for the ${name} %s, which names the posting %s`,
              ...['thing.id', 'thing.ledger_transaction_id'],
            ],
            ...amounts,
            ...(more.postingFaults ?? []),
            [
              `posting.reference IS DISTINCT FROM ${reference}`,
              `has the reference %s; the ${name} %s says %s`,
              ...['posting.reference', 'thing.id', reference],
            ],
            [
              `posting.actor_id IS DISTINCT FROM ${poster}`,
              `was posted by %s; the ${name} %s by %s`,
              ...['posting.actor_id', 'thing.id', poster],
            ],
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`${sql.table(table)} AS thing
            LEFT JOIN ledger_transaction AS posting ON posting.id = thing.ledger_transaction_id`,
          where: scope[movement.scope]('thing.id'),
          faults: [
            [sql`${isPosted(movement)} AND posting.id IS NULL`, 'was not posted'],
            [
              sql`NOT ${isPosted(movement)} AND nullif(${sql.raw(named)}::text, '') IS NOT NULL`,
              'is not to be posted and names the posting %s',
              named,
            ],
            [
              sql`(posting.kind, posting.subject_id) IS DISTINCT FROM (${kind}, thing.id)
                  AND posting.id IS NOT NULL`,
              'names the posting %s, which is not its own',
              'posting.id',
            ],
          ],
        }),
      ),
  };
}

function wallets({ name, table, scope: of, wallets: sides, more }: Movement): ScopedCheck {
  const joined = sides.map(({ wallet }, index) =>
    sql.raw(` LEFT JOIN wallet AS wallet${index} ON wallet${index}.id = ${wallet}`),
  );
  const owners = sides.map(({ owner }, index): Fault => [
    `wallet${index}.user_id IS DISTINCT FROM ${owner}`,
    'of %s has the wallet of %s',
    ...[owner, `wallet${index}.user_id`],
  ]);
  return {
    name: `${name}-wallet`,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing ${sql.join(joined, sql``)}
          LEFT JOIN ledger_account AS account ON account.id = wallet0.ledger_account_id`,
        where: scope[of]('thing.id'),
        faults: [
          ...owners,
          ...(more?.walletFaults ?? []),
          [
            'account.currency IS DISTINCT FROM thing.currency',
            'is in %s, its account in %s',
            ...['thing.currency', 'account.currency'],
          ],
        ],
      }),
  };
}

function hold(movement: Movement): ScopedCheck {
  const { name, table, scope: of, heldIn = [], postedIn = [] } = movement;
  const state = sql`CASE WHEN thing.status IN (${listed(heldIn)}) THEN 'held'
    WHEN thing.status IN (${listed(postedIn)}) THEN 'captured' ELSE 'released' END`;
  const stray = (scope: Within) =>
    faulty({
      id: 'hold.id',
      from: `ledger_hold AS hold LEFT JOIN withdrawal ON withdrawal.hold_id = hold.id
        LEFT JOIN bill ON bill.hold_id = hold.id`,
      where: scope.holds('hold.id'),
      faults: [['withdrawal.id IS NULL AND bill.id IS NULL', 'holds money for nothing']],
    });
  return {
    name: `${name}-hold`,
    query: (scope) =>
      union(
        ...(reportsStray(movement) ? [stray(scope)] : []),
        faulty({
          id: 'thing.id',
          from: sql`${sql.table(table)} AS thing
            LEFT JOIN ledger_hold AS hold ON hold.id = thing.hold_id`,
          where: scope[of]('thing.id'),
          faults: [['hold.id IS NULL', 'names the hold %s, which does not exist', 'thing.hold_id']],
        }),
        faulty({
          id: 'thing.id',
          from: sql`ledger_hold AS hold JOIN ${sql.table(table)} AS thing ON thing.hold_id = hold.id
            LEFT JOIN wallet ON wallet.id = thing.wallet_id`,
          where: scope.holds('hold.id'),
          faults: [
            [
              sql`(hold.amount, hold.account_id, hold.state, hold.transaction_id, hold.reference)
                  IS DISTINCT FROM (thing.amount_minor, wallet.ledger_account_id, ${state},
                                    thing.ledger_transaction_id, thing.reference)`,
              'of %s, %s, is held as %s on the account %s: %s, captured by %s, %s',
              ...['thing.amount_minor', 'thing.status', 'hold.amount', 'hold.account_id'],
              ...['hold.state', 'hold.transaction_id', 'hold.reference'],
            ],
          ],
        }),
      ),
  };
}

function returned(movement: Movement): ScopedCheck {
  const { name, table, scope: of } = movement;
  const stray = (scope: Within) =>
    faulty({
      id: 'posting.id',
      from: `ledger_transaction AS posting
        LEFT JOIN withdrawal ON withdrawal.ledger_transaction_id = posting.reverses_id
        LEFT JOIN bill ON bill.ledger_transaction_id = posting.reverses_id`,
      where: sql`(posting.kind = 'reversal' OR posting.reverses_id IS NOT NULL)
        AND ${scope.transactions('posting.id')}`,
      faults: [
        [
          `posting.kind <> 'reversal' OR posting.reverses_id IS NULL`,
          'is either a reversal or reverses something, and not both',
        ],
        [
          'withdrawal.id IS NULL AND bill.id IS NULL',
          'reverses %s, which paid out nothing',
          'posting.reverses_id',
        ],
      ],
    });
  return {
    name: `${name}-return`,
    query: (scope) =>
      union(
        ...(reportsStray(movement) ? [stray(scope)] : []),
        faulty({
          id: 'posting.id',
          from: sql`ledger_transaction AS posting
            JOIN ${sql.table(table)} AS thing ON thing.ledger_transaction_id = posting.reverses_id`,
          where: scope.transactions('posting.id'),
          faults: [
            [
              `thing.status <> 'returned' OR posting.subject_id IS DISTINCT FROM thing.id`,
              `gives back the ${name} %s, which is %s, and is about %s`,
              ...['thing.id', 'thing.status', 'posting.subject_id'],
            ],
            [
              'posting.actor_id IS DISTINCT FROM thing.closed_by',
              `was posted by %s; the ${name} %s was returned by %s`,
              ...['posting.actor_id', 'thing.id', 'thing.closed_by'],
            ],
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`${sql.table(table)} AS thing
            LEFT JOIN ledger_transaction AS reversal ON reversal.reverses_id = thing.ledger_transaction_id`,
          where: sql`thing.status = 'returned' AND ${scope[of]('thing.id')}`,
          faults: [['reversal.id IS NULL', 'is returned and its payout was not reversed']],
        }),
      ),
  };
}
