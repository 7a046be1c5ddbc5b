import { sql } from 'kysely';
import { bankAccount } from '#contract/things/bank-account.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { refusalOfProof } from './proof.ts';
import { bankLabel } from './use.ts';
import { selectRows } from './rows.ts';

/** Accounts of one run; the next run takes the others. */
const MOST = 200;

/**
 * Notifies the administrators of accounts whose prenote did not come back in time, which can be verified from now on: once for
 * each prenote. Called each hour.
 *
 * @returns number of accounts
 */
export async function passPrenotes(db: Db, { clock }: Pick<Services, 'clock'>): Promise<number> {
  const at = clock.now();
  return withTx(db, async (tx) => {
    const due = await selectTested(tx)
      .orderBy('item.effectiveOn')
      .orderBy('item.id')
      .limit(MOST)
      .execute();
    const ids = due.map(({ id }) => id);
    // In the order of their ids, as a payout file locks them. What happened to one meanwhile is read afterwards.
    await sql`
      SELECT FROM bank_account WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(
      tx,
    );
    const tested = await selectTested(tx)
      .where(sql<boolean>`bank_account.id = ANY (${ids}::uuid[])`)
      .execute();
    const passed = tested.filter(
      ({ proof }) => proof?.kind === 'prenote' && refusalOfProof(proof, at) === null,
    );
    for (const row of passed) {
      journal(tx, { actor: 'system' }, bankAccount, 'passTest', {
        id: row.id,
        userId: row.userId,
        at,
        details: { last4: row.last4, item: row.itemId },
        words: { account: bankLabel(row), owner: row.ownerName },
      });
    }
    return passed.length;
  });
}

/** Accounts with the prenote that was sent to them as they are, and of which nobody was notified. */
function selectTested(tx: Tx) {
  return selectRows(tx)
    .innerJoin('payoutFileItem as item', 'item.bankAccountId', 'bankAccount.id')
    .innerJoin('payoutFile as file', 'file.id', 'item.fileId')
    .select('item.id as itemId')
    .where('bankAccount.status', '=', 'pending')
    .whereRef('item.accountAsOf', '=', 'bankAccount.submittedAt')
    .where('item.isLive', '=', true)
    .where('item.depositNumber', 'is', null)
    .where('file.sentAt', 'is not', null)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_event AS passed
         WHERE passed.subject_id = bank_account.id AND passed.action = 'bank_account.passed'
           AND passed.details ->> 'item' = item.id::text)`,
    );
}
