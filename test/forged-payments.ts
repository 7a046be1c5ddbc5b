import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { placeHold, post } from '#server/modules/ledger/index.ts';
import type { TamperedCompany } from './tampered-company.ts';

const FORGED = { reference: 'TXN-FORGED', amountMinor: 1_000n };

/** Postings and rows of payments, moves and bills that nobody made, of 1,000 cents. @param of the company */
export function forgedPayments(of: () => TamperedCompany) {
  /** Posts 1,000 cents from Maya to Ben. */
  async function transfer(
    tx: Tx,
    { subjectId, actorId = of().ids.maya }: { subjectId?: string; actorId?: string },
  ): Promise<string> {
    const [posted] = await post(tx, [
      {
        kind: 'transfer',
        reference: FORGED.reference,
        description: '',
        subjectId: subjectId ?? null,
        actorId,
        entries: [
          { accountId: of().ids.mayaAccount, amountMinor: -FORGED.amountMinor },
          { accountId: of().ids.benAccount, amountMinor: FORGED.amountMinor },
        ],
      },
    ]);
    return posted?.id ?? '';
  }

  /** Posts 1,000 cents from Maya's salary wallet to her savings. */
  async function postMove(
    tx: Tx,
    {
      subjectId,
      toAccountId,
      actorId = of().ids.maya,
    }: { subjectId?: string; toAccountId?: string; actorId?: string | null },
  ): Promise<string> {
    const savings = await savingsOf(tx);
    const [posted] = await post(tx, [
      {
        kind: 'move',
        reference: FORGED.reference,
        description: '',
        subjectId: subjectId ?? null,
        actorId,
        entries: [
          { accountId: of().ids.mayaAccount, amountMinor: -FORGED.amountMinor },
          { accountId: toAccountId ?? savings.ledgerAccountId, amountMinor: FORGED.amountMinor },
        ],
      },
    ]);
    return posted?.id ?? '';
  }

  /** A line that was paid into Maya's wallet. */
  async function mayasLine(tx: Tx): Promise<string> {
    const { id } = await tx
      .selectFrom('payrollLine')
      .select('id')
      .where('walletId', '=', of().maya.wallet.id)
      .where('status', '=', 'processed')
      .limit(1)
      .executeTakeFirstOrThrow();
    return id;
  }

  function savingsOf(tx: Tx): Promise<{ id: string; ledgerAccountId: string }> {
    return tx
      .selectFrom('wallet')
      .select(['id', 'ledgerAccountId'])
      .where('userId', '=', of().ids.maya)
      .where('type', '=', 'savings')
      .executeTakeFirstOrThrow();
  }

  async function insertMove(
    tx: Tx,
    move: {
      id: string;
      transactionId: string;
      amountMinor?: bigint;
      toWalletId?: string;
      payrollLineId?: string;
    },
  ): Promise<void> {
    await sql`
      INSERT INTO wallet_move (id, reference, user_id, from_wallet_id, to_wallet_id, amount_minor,
                               currency, ledger_transaction_id, moved_at, payroll_line_id)
      VALUES (${move.id}, ${FORGED.reference}, ${of().ids.maya}, ${of().maya.wallet.id},
              ${move.toWalletId ?? (await savingsOf(tx)).id},
              ${move.amountMinor ?? FORGED.amountMinor}, 'USD', ${move.transactionId}, now(),
              ${move.payrollLineId ?? null})`.execute(tx);
  }

  function insertPayment(
    tx: Tx,
    payment: { id: string; transactionId: string; amountMinor?: bigint; payerId?: string },
  ): Promise<unknown> {
    return sql`
      INSERT INTO person_payment (id, reference, payer_id, payer_wallet_id, recipient_id,
                                  recipient_wallet_id, amount_minor, currency, note, limit_day,
                                  ledger_transaction_id, paid_at)
      VALUES (${payment.id}, ${FORGED.reference}, ${payment.payerId ?? of().ids.maya},
              ${of().maya.wallet.id}, ${of().ids.ben}, ${of().ben.wallet.id},
              ${payment.amountMinor ?? FORGED.amountMinor}, 'USD', '', current_date,
              ${payment.transactionId}, now())`.execute(tx);
  }

  /** A bill of 1,000 cents in Maya's name, with 1,000 held for it; but for what is given. */
  async function insertBill(
    tx: Tx,
    { payeeId, amountMinor = 1_000n }: { payeeId?: string; amountMinor?: bigint },
  ): Promise<void> {
    const reference = 'BP-FORGED';
    const holdId = await placeHold(tx, {
      accountId: of().ids.mayaAccount,
      amountMinor: 1_000n,
      reference,
    });
    await sql`
      INSERT INTO bill (id, reference, user_id, wallet_id, payee_id, payee_name, payee_last4,
                        amount_minor, currency, memo, pay_on, hold_id, requested_at, updated_at)
      SELECT ${newId()}, ${reference}, ${of().ids.maya}, ${of().maya.wallet.id}, id,
             coalesce(name, ''), coalesce(last4, ''), ${amountMinor}, 'USD', '', current_date,
             ${holdId}, now(), now()
        FROM payee
       WHERE id = coalesce(${payeeId ?? null}::uuid,
                           (SELECT payee_id FROM bill WHERE id = ${of().bills.due}))`.execute(tx);
  }

  return { transfer, postMove, mayasLine, savingsOf, insertMove, insertPayment, insertBill };
}
