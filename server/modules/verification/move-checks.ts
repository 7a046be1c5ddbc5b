import { sql } from 'kysely';
import { faulty, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changedFacts, historyFindings } from './records.ts';

/** The checks that every move between a person's own wallets is in the ledger once, as they made it. */
export const moveChecks: readonly ScopedCheck[] = [
  {
    name: 'move-posting',
    query: (scope) =>
      union(
        faulty({
          id: sql`posting.id`,
          from: sql`ledger_transaction AS posting
            LEFT JOIN wallet_move AS move ON move.id = posting.subject_id
            LEFT JOIN wallet AS source ON source.id = move.from_wallet_id
            LEFT JOIN wallet AS target ON target.id = move.to_wallet_id
            LEFT JOIN ledger_entry AS taken
              ON taken.transaction_id = posting.id AND taken.account_id = source.ledger_account_id
            LEFT JOIN ledger_entry AS given
              ON given.transaction_id = posting.id AND given.account_id = target.ledger_account_id`,
          where: sql`posting.kind = 'move' AND ${scope.transactions('posting.id')}`,
          faults: [
            [sql`move.id IS NULL`, 'is no move of anybody'],
            [
              sql`move.ledger_transaction_id <> posting.id`,
              sql`format('makes the move %s, which names the posting %s', move.id,
                         move.ledger_transaction_id)`,
            ],
            [
              sql`taken.amount IS DISTINCT FROM -move.amount_minor
                  OR given.amount IS DISTINCT FROM move.amount_minor`,
              sql`format('moves %s from one wallet and %s to the other; the move %s is of %s',
                         coalesce(taken.amount, 0), coalesce(given.amount, 0), move.id,
                         move.amount_minor)`,
            ],
            [
              sql`posting.reference <> move.reference`,
              sql`format('has the reference %s; the move %s has %s', posting.reference, move.id,
                         move.reference)`,
            ],
            [
              sql`posting.actor_id IS DISTINCT FROM move.user_id`,
              sql`format('was posted by %s; the move %s is by %s', posting.actor_id, move.id,
                         move.user_id)`,
            ],
          ],
        }),
        faulty({
          id: sql`move.id`,
          from: sql`wallet_move AS move
            LEFT JOIN ledger_transaction AS posting ON posting.id = move.ledger_transaction_id`,
          where: sql`${scope.walletMoves('move.id')}`,
          faults: [
            [sql`posting.id IS NULL`, 'was not posted'],
            [
              sql`(posting.kind, posting.subject_id) IS DISTINCT FROM ('move', move.id)`,
              sql`format('names the posting %s, which is not its own', posting.id)`,
            ],
          ],
        }),
      ),
  },
  {
    name: 'move-wallet',
    query: (scope) =>
      faulty({
        id: sql`move.id`,
        from: sql`wallet_move AS move
          LEFT JOIN wallet AS source ON source.id = move.from_wallet_id
          LEFT JOIN wallet AS target ON target.id = move.to_wallet_id
          LEFT JOIN ledger_account AS account ON account.id = source.ledger_account_id`,
        where: sql`${scope.walletMoves('move.id')}`,
        faults: [
          [
            sql`source.user_id IS DISTINCT FROM move.user_id
                OR target.user_id IS DISTINCT FROM move.user_id`,
            sql`format('of %s goes from the wallet of %s to that of %s', move.user_id,
                       source.user_id, target.user_id)`,
          ],
          [
            sql`account.currency IS DISTINCT FROM move.currency`,
            sql`format('is in %s, its account in %s', move.currency, account.currency)`,
          ],
        ],
      }),
  },
  {
    name: 'move-record',
    query: (scope) =>
      faulty({
        id: sql`move.id`,
        from: sql`wallet_move AS move
          JOIN audit_event AS made
            ON made.subject_id = move.id AND made.subject_type = 'wallet_move'
           AND made.action = 'wallet_move.made'
         CROSS JOIN LATERAL (SELECT ${changedFacts('made', {
           reference: sql`move.reference`,
           amountMinor: sql`move.amount_minor`,
           currency: sql`move.currency`,
           fromWalletId: sql`move.from_wallet_id`,
           toWalletId: sql`move.to_wallet_id`,
         })} AS names) AS changed`,
        where: sql`${scope.walletMoves('move.id')}`,
        faults: [
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was made with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'move-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'wallet_move',
        noun: 'move',
        where: scope.walletMoves,
        actions: ['wallet_move.made'],
        shown: sql`
          SELECT id, user_id AS owner_id, 'wallet_move.made' AS action, false AS is_decision,
                 user_id AS actor_id, moved_at AS at, ledger_transaction_id AS transaction_id
            FROM wallet_move
           WHERE ${scope.walletMoves('id')}`,
      }),
  },
];
