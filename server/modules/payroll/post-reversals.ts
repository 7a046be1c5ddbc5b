import { sql } from 'kysely';
import { payWords } from '#contract/funding.ts';
import { formatMoney, money } from '#contract/money.ts';
import { REVERSAL_REASONS } from '#contract/payroll.ts';
import type { ReversalReason } from '#contract/payroll.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import {
  ensureSystemAccount,
  lockAccounts,
  post,
  reverseAll,
} from '#server/modules/ledger/index.ts';
import { leftOf } from './lock-lines.ts';
import type { LockedLine } from './lock-lines.ts';
import { giveBackInstalments } from './recoveries/give-back.ts';
import { lineReference } from './rules.ts';

/** A locked line with the amount to take back: at most what is left of it, and what its wallet has. */
export interface Part {
  line: LockedLine;
  amountMinor: bigint;
}

export interface ReversalWords {
  reason: ReversalReason;
  /** Text that the employee reads. */
  message: string;
}

interface Reversing extends ReversalWords {
  at: Date;
  /** Facts for the record of a reversal, by its amount. */
  used: (amountMinor: bigint) => AuditDetails;
}

type Reversed = Part & { id: string; transactionId: string; number: number; reference: string };

/**
 * Takes money of paid lines of one batch back from their wallets to payroll funding, records each reversal, and
 * notifies the employees. A whole line is the ledger's reversal of its posting. A part is a posting of its own, because
 * the ledger reverses a posting as a whole (docs/ledger.md). With the rest of a line, what recoveries took from it is
 * given back first.
 *
 * @throws {LedgerError} `insufficient_funds` where a wallet has less, though the caller has locked it
 */
export async function postReversals(
  tx: Tx,
  by: CommandContext,
  parts: readonly Part[],
  { at, used, ...words }: Reversing,
): Promise<void> {
  const reversed = parts.map((part): Reversed => {
    const number = part.line.reversals + 1;
    const reference = `${lineReference(part.line, part.line.lineNumber)}-R${number}`;
    return { ...part, id: newId(), transactionId: newId(), number, reference };
  });
  const [first] = reversed;
  if (first === undefined) return;
  const fundingId = await ensureSystemAccount(tx, 'payroll_funding', first.line.currency);
  // Recovered amounts, whole lines and parts are posted one after the other.
  await lockAccounts(tx, [fundingId, ...reversed.map(({ line }) => line.ledgerAccountId)]);
  const last = reversed.filter(({ line, amountMinor }) => amountMinor === leftOf(line));
  await giveBackInstalments(
    tx,
    by,
    last.filter(({ line }) => line.deductedMinor > 0n).map(({ line }) => line.id),
    at,
  );
  await saveLines(tx, first.line.batchId, reversed, at);
  await postAll(tx, by, reversed, { ...words, fundingId, at });
  await tx
    .insertInto('payrollReversal')
    .values(
      reversed.map(({ id, line, number, amountMinor, transactionId }) => ({
        id,
        number,
        amountMinor,
        ...words,
        lineId: line.id,
        ledgerTransactionId: transactionId,
        reversedBy: by.actor.id,
        reversedAt: at,
      })),
    )
    .execute();
  for (const one of reversed) recordReversal(tx, by, one, { ...words, used, at });
}

/** True if a part takes back all that is left of its line. */
function isRest({ line, amountMinor }: Part): boolean {
  return line.reversedMinor + amountMinor === line.amountMinor;
}

async function saveLines(tx: Tx, batchId: string, parts: readonly Part[], at: Date): Promise<void> {
  const reversedMinor = parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  await tx
    .updateTable('payrollBatch')
    .set((column) => ({
      reversedCount: column('reversedCount', '+', parts.filter(isRest).length),
      reversedMinor: column('reversedMinor', '+', reversedMinor),
      updatedAt: at,
    }))
    .where('id', '=', batchId)
    .execute();
  await sql`
    UPDATE payroll_line AS line
       SET reversed_minor = line.reversed_minor + part.amount_minor,
           status = CASE WHEN line.reversed_minor + part.amount_minor = line.amount_minor
                         THEN 'reversed' ELSE line.status END
      FROM unnest(${parts.map(({ line }) => line.lineNumber)}::integer[],
                  ${parts.map(({ amountMinor }) => amountMinor.toString())}::bigint[])
             AS part (line_number, amount_minor)
     WHERE line.batch_id = ${batchId} AND line.line_number = part.line_number`.execute(tx);
}

async function postAll(
  tx: Tx,
  by: CommandContext,
  reversed: readonly Reversed[],
  { reason, fundingId, at }: { reason: ReversalReason; fundingId: string; at: Date },
): Promise<void> {
  const whole = reversed.filter(({ line, amountMinor }) => amountMinor === line.amountMinor);
  const parts = reversed.filter((one) => !whole.includes(one));
  const postingOf = ({ line, transactionId, reference }: Reversed) => ({
    id: transactionId,
    reference,
    description: `${REVERSAL_REASONS[reason]}: ${payWords(line.fundingType, line.description)}`,
    actorId: by.actor.id,
  });
  await reverseAll(
    tx,
    whole.map((one) => ({
      ...postingOf(one),
      transactionId: invariant(one.line.ledgerTransactionId, 'a paid line has its posting'),
    })),
    { effectiveAt: at },
  );
  await post(
    tx,
    parts.map((part) => ({
      ...postingOf(part),
      kind: 'reversal',
      subjectId: part.line.id,
      entries: [
        { accountId: part.line.ledgerAccountId, amountMinor: -part.amountMinor },
        { accountId: fundingId, amountMinor: part.amountMinor },
      ],
    })),
    { effectiveAt: at },
  );
}

function recordReversal(
  tx: Tx,
  by: CommandContext,
  one: Reversed,
  { reason, message, used, at }: Reversing,
): void {
  const { line, amountMinor, reference, transactionId } = one;
  journal(tx, by, payrollLine, isRest(one) ? 'reverse' : 'reversePart', {
    id: line.id,
    userId: line.userId,
    at,
    details: {
      reversalId: one.id,
      reference,
      transactionId,
      reason,
      batchId: line.batchId,
      walletId: line.walletId,
      amountMinor: amountMinor.toString(),
      currency: line.currency,
      ...used(amountMinor),
    },
    words: {
      amount: formatMoney(money(amountMinor, line.currency)),
      pay: payWords(line.fundingType, line.description),
      wallet: WALLET_LABELS[line.walletType],
      message,
    },
  });
}
