import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { faulty, listed, part, unequal, union } from './check.ts';
import type { Fault, ScopedCheck, Sql } from './check.ts';
import { MOVEMENTS } from './movements.ts';
import type { Movement } from './movements.ts';
import { recordCheck, recordOf } from './records.ts';
import type { ScopeName, Within } from './scope.ts';

/** The checks that each movement is what was requested, held and posted: one amount of one person. */
export const movementChecks: readonly ScopedCheck[] = MOVEMENTS.flatMap((movement) => [
  posting(movement),
  // `payroll-line` and `payroll-record` compare those of lines.
  ...(movement.recorded === undefined
    ? []
    : [wallets(movement), recordCheck({ ...movement, ...movement.recorded })]),
  ...(movement.heldIn === undefined ? [] : [hold(movement), returned(movement)]),
]);

/** Holds and reversals that belong to nothing are reported once. */
const reportsStray = ({ table }: Movement) => table === 'withdrawal';

/** SQL of the condition that a row is in a status in which it is posted. */
function isPosted({ postedIn, inTransit = 'false' }: Movement): RawBuilder<unknown> {
  return postedIn === undefined
    ? sql`true`
    : sql`(thing.status IN (${listed(postedIn)}) OR ${sql.raw(inTransit)})`;
}

function rowsOf({ table, joinedWith = '' }: Movement): RawBuilder<unknown> {
  return sql`${sql.table(table)} AS thing ${sql.raw(joinedWith)}`;
}

function isWithin({ table, scope: by }: Movement, scope: Within): RawBuilder<unknown> {
  const [name, column] = by ?? [table as ScopeName, 'thing.id'];
  return scope[name](column);
}

function walletsOf(movement: Movement): RawBuilder<unknown> {
  const joined = movement.wallets.map(
    ([wallet], index) => `LEFT JOIN wallet AS wallet${index} ON wallet${index}.id = ${wallet}`,
  );
  return sql.raw(joined.join(' '));
}

function posting(movement: Movement): ScopedCheck {
  const { name, table, joinedWith = '', kinds, reference, poster, paidOut, heldIn } = movement;
  const kind = movement.kind ?? sql.lit(kinds[0]);
  const entries = movement.wallets.map(
    (_, index) => `
      LEFT JOIN ledger_entry AS entry${index} ON entry${index}.transaction_id = posting.id
            AND entry${index}.account_id = wallet${index}.ledger_account_id`,
  );
  const amounts = movement.wallets.map(([, , sign], index): [string, [Sql, Sql]] => [
    `amount ${index + 1}`,
    [`entry${index}.amount`, `${sign} thing.amount_minor`],
  ]);
  const named = ['thing.ledger_transaction_id', ...(heldIn === undefined ? [] : [reference])];
  const unposted = sql`NOT ${isPosted(movement)}`;
  const [counter = '', ...more] = movement.counter ?? [];
  return {
    name: `${name}-posting`,
    query: (scope) =>
      union(
        faulty({
          id: 'posting.id',
          from: sql`ledger_transaction AS posting
            LEFT JOIN ${sql.table(table)} AS thing ON thing.id = posting.subject_id
            ${sql.raw(joinedWith)} ${walletsOf(movement)} ${sql.raw(entries.join(''))} ${sql.raw(counter)}
            ${paidOut === undefined ? sql`` : sql`LEFT JOIN ${recordOf(table, paidOut, 'done')}`}`,
          where: sql`posting.kind IN (${listed(kinds)}) AND ${scope.postings(kinds)('posting.id')}`,
          faults: [
            ['thing.id IS NULL', `is for no ${name}`],
            [unposted, `is for the ${name} %s, which is not to be posted`, 'thing.id'],
            ...more,
            unequal({
              kind: ['posting.kind', kind],
              id: ['posting.id', 'thing.ledger_transaction_id'],
              ...Object.fromEntries(amounts),
              reference: ['posting.reference', reference],
              actor: ['posting.actor_id', poster],
            }),
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`${rowsOf(movement)}
            LEFT JOIN ledger_transaction AS posting ON posting.id = thing.ledger_transaction_id`,
          where: isWithin(movement, scope),
          faults: [
            [sql`${isPosted(movement)} AND posting.id IS NULL`, 'was not posted'],
            [
              sql`${unposted} AND num_nonnulls(${sql.raw(named.join(', '))}) > 0`,
              'is not to be posted and names the posting %s',
              'thing.ledger_transaction_id',
            ],
            [
              sql`posting.id IS NOT NULL
                  AND (posting.kind, posting.subject_id) IS DISTINCT FROM (${part(kind)}, thing.id)`,
              'names the posting %s, which is not its own',
              'posting.id',
            ],
          ],
        }),
      ),
  };
}

function wallets(movement: Movement): ScopedCheck {
  const owners = movement.wallets.map(([, owner], index): [string, [Sql, Sql]] => [
    `owner ${index + 1}`,
    [owner, `wallet${index}.user_id`],
  ]);
  return {
    name: `${movement.name}-wallet`,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${rowsOf(movement)} ${walletsOf(movement)}
          LEFT JOIN ledger_account AS account ON account.id = wallet0.ledger_account_id`,
        where: isWithin(movement, scope),
        faults: [
          ...(movement.walletFaults ?? []),
          unequal({
            ...Object.fromEntries(owners),
            currency: ['thing.currency', 'account.currency'],
          }),
        ],
      }),
  };
}

function hold(movement: Movement): ScopedCheck {
  const { name, table, heldIn = [] } = movement;
  const state = sql`CASE WHEN ${isPosted(movement)} THEN 'captured'
    WHEN thing.status IN (${listed(heldIn)}) THEN 'held' ELSE 'released' END`;
  const stray = (scope: Within) =>
    faulty({
      id: 'hold.id',
      from: `ledger_hold AS hold LEFT JOIN withdrawal ON withdrawal.hold_id = hold.id
        LEFT JOIN bill ON bill.hold_id = hold.id`,
      where: scope.ledger_hold('hold.id'),
      faults: [['withdrawal.id IS NULL AND bill.id IS NULL', 'holds money for nothing']],
    });
  return {
    name: `${name}-hold`,
    query: (scope) =>
      union(
        ...(reportsStray(movement) ? [stray(scope)] : []),
        faulty({
          id: 'thing.id',
          from: sql`${rowsOf(movement)} LEFT JOIN ledger_hold AS hold ON hold.id = thing.hold_id`,
          where: isWithin(movement, scope),
          faults: [['hold.id IS NULL', 'names the hold %s, which does not exist', 'thing.hold_id']],
        }),
        faulty({
          id: 'thing.id',
          from: sql`ledger_hold AS hold JOIN ${sql.table(table)} AS thing ON thing.hold_id = hold.id
            LEFT JOIN wallet ON wallet.id = thing.wallet_id`,
          where: scope.ledger_hold('hold.id'),
          faults: [
            unequal({
              amount: ['hold.amount', 'thing.amount_minor'],
              account: ['hold.account_id', 'wallet.ledger_account_id'],
              hold: ['hold.state', state],
              posting: ['hold.transaction_id', 'thing.ledger_transaction_id'],
              reference: ['hold.reference', 'thing.reference'],
            }),
          ],
        }),
      ),
  };
}

function returned(movement: Movement): ScopedCheck {
  const { name, table } = movement;
  const nothing: Fault = [
    `withdrawal.id IS NULL AND bill.id IS NULL AND settled.id IS NULL AND of_payroll.id IS NULL
     AND deposited.id IS NULL`,
    'reverses what paid out nothing',
  ];
  const stray = (scope: Within) =>
    faulty({
      id: 'posting.id',
      from: `ledger_transaction AS posting
        LEFT JOIN withdrawal ON withdrawal.ledger_transaction_id = posting.reverses_id
        LEFT JOIN bill ON bill.ledger_transaction_id = posting.reverses_id
        LEFT JOIN ledger_transaction AS settled
          ON settled.id = posting.reverses_id AND settled.kind = 'settlement'
        LEFT JOIN payout_file_item AS deposited ON deposited.ledger_transaction_id = posting.reverses_id
        LEFT JOIN payroll_reversal AS of_payroll ON of_payroll.ledger_transaction_id = posting.id`,
      where: sql`(posting.kind = 'reversal' OR posting.reverses_id IS NOT NULL)
        AND ${scope.ledger_transaction('posting.id')}`,
      faults: [
        [
          // A part of a payroll line is taken back by a posting that reverses none as a whole.
          `posting.kind <> 'reversal' OR posting.reverses_id IS NULL AND of_payroll.id IS NULL`,
          'is either a reversal or reverses something, and not both',
        ],
        nothing,
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
          where: scope.ledger_transaction('posting.id'),
          faults: [
            unequal({
              [name]: ['posting.subject_id', 'thing.id'],
              status: ['thing.status', sql.lit('returned')],
              actor: ['posting.actor_id', 'thing.moved_by'],
            }),
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`${rowsOf(movement)} LEFT JOIN ledger_transaction AS reversal
            ON reversal.reverses_id = thing.ledger_transaction_id`,
          where: sql`thing.status = 'returned' AND ${isWithin(movement, scope)}`,
          faults: [['reversal.id IS NULL', 'is returned and its payout was not reversed']],
        }),
      ),
  };
}
