import { sql } from 'kysely';
import type { Currency } from '#contract/money.ts';
import type { RecoveryStatus } from '#contract/recovery.ts';
import { recovery } from '#contract/things/recovery.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import { instalmentFacts } from './take-instalments.ts';

interface Row {
  id: string;
  recoveryId: string;
  userId: string;
  lineId: string;
  status: RecoveryStatus;
  amountMinor: bigint;
  reference: string;
  ledgerAccountId: string;
  currency: Currency;
}

/**
 * Gives the instalments back that were taken from those lines, because the lines are taken back: their amounts are in the
 * wallets again and left of their recoveries, as if the lines had not been paid. A recovery that was finished goes on.
 * The caller has locked the lines' wallets, the lines and the recoveries of the instalments.
 */
export async function giveBackInstalments(
  tx: Tx,
  by: CommandContext,
  lineIds: readonly string[],
  at: Date,
): Promise<void> {
  const { rows } = await sql<Row>`
    SELECT instalment.id, instalment.recovery_id, instalment.line_id, instalment.amount_minor,
           recovery.user_id, recovery.status, recovery.currency, posting.reference,
           wallet.ledger_account_id
      FROM recovery_instalment AS instalment
      JOIN recovery ON recovery.id = instalment.recovery_id
      JOIN ledger_transaction AS posting ON posting.id = instalment.ledger_transaction_id
      JOIN payroll_line AS line ON line.id = instalment.line_id
      JOIN wallet ON wallet.id = line.wallet_id
     WHERE instalment.line_id = ANY (${lineIds}::uuid[])
       AND instalment.given_back_transaction_id IS NULL
     ORDER BY instalment.id`.execute(tx);
  const [first] = rows;
  if (first === undefined) return;
  const fundingId = await ensureSystemAccount(tx, 'payroll_funding', first.currency);
  const given = rows.map((row) => ({
    ...row,
    transactionId: newId(),
    reference: `${row.reference}-R1`,
  }));
  await post(
    tx,
    given.map(({ transactionId, reference, lineId, ledgerAccountId, amountMinor }) => ({
      id: transactionId,
      reference,
      subjectId: lineId,
      actorId: by.actor.id,
      kind: 'recovery',
      description: 'Recovered amount given back',
      entries: [
        { accountId: fundingId, amountMinor: -amountMinor },
        { accountId: ledgerAccountId, amountMinor },
      ],
    })),
    { effectiveAt: at },
  );
  await sql`
    UPDATE recovery_instalment AS instalment SET given_back_transaction_id = given.transaction_id
      FROM unnest(${given.map(({ id }) => id)}::uuid[],
                  ${given.map(({ transactionId }) => transactionId)}::uuid[])
             AS given (id, transaction_id)
     WHERE instalment.id = given.id`.execute(tx);
  await sql`
    UPDATE recovery
       SET recovered_minor = recovered_minor - given.minor, updated_at = ${at},
           moved_at = CASE WHEN status = 'finished' THEN ${at}::timestamptz ELSE moved_at END,
           moved_by = CASE WHEN status = 'finished' THEN ${by.actor.id}::uuid ELSE moved_by END,
           status = CASE WHEN status = 'finished' THEN 'accepted' ELSE status END
      FROM unnest(${given.map(({ recoveryId }) => recoveryId)}::uuid[],
                  ${given.map(({ amountMinor }) => amountMinor.toString())}::bigint[])
             AS given (id, minor)
     WHERE recovery.id = given.id`.execute(tx);
  for (const { recoveryId, userId, status, ...one } of given) {
    journal(tx, by, recovery, status === 'finished' ? 'resume' : 'giveBack', {
      id: recoveryId,
      userId,
      at,
      details: instalmentFacts(one, one.currency),
    });
  }
}
