import { sql } from 'kysely';
import { CHANGE_CODES, codeWords, marksAccount } from '#contract/ach-codes.ts';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import { act } from '#server/modules/acts/index.ts';
import { failProof } from '#server/modules/bank-accounts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { takeBackMicroDeposit } from '../micro-deposits.ts';
import type { FoundItem } from './judge.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Answer = ReturnCode | ChangeCode;

/**
 * Gives the money of a payment back that was sent in a file. Out of payouts in transit while the file is not settled, and
 * otherwise by the reversal of the settlement first. The bank account of a prenote or a micro-deposit is marked as not
 * verified; a prenote had no money, and a notification of change gives none back.
 *
 * @returns id of the reversal; null where there is none
 * @throws {AppError} `own_request`, `second_person_needed`
 */
export async function bookReturn(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { item, code, entryId }: { item: FoundItem; code: Answer; entryId: string },
): Promise<string | null> {
  const { withdrawalId, billId, bankAccountId } = item;
  const details = { code, returnEntry: entryId };
  if (bankAccountId !== null) {
    const transactionId = await takeBackProof(tx, by, { item, code, at: services.clock.now() });
    const reason = reasonOfProof(code, item);
    const asOf = item.requestedAt;
    if (reason !== null) {
      await failProof(tx, services, by, { bankAccountId, asOf, reason, details });
    }
    return transactionId;
  }
  if (isChange(code)) throw new InvariantError(`${item.reference} came back by ${code}`);
  const input = { reason: `${code}: ${codeWords(code)}`, returnCode: code, details };
  if (withdrawalId !== null) {
    await act(tx, services, by, withdrawals, 'returnByFile', { ...input, id: withdrawalId });
  }
  if (billId !== null) {
    await act(tx, services, by, bills, 'returnByFile', { ...input, id: billId });
  }
  const { rows } = await sql<{ id: string }>`
    SELECT reversal.id FROM ledger_transaction AS reversal
     WHERE reversal.reverses_id = coalesce(
       (SELECT ledger_transaction_id FROM withdrawal WHERE id = ${withdrawalId}),
       (SELECT ledger_transaction_id FROM bill WHERE id = ${billId}))`.execute(tx);
  return invariant(rows[0], `${item.reference} came back without a reversal`).id;
}

/**
 * Takes a prenote or a micro-deposit that came back out of its file. A deposit that the bank only asks other details for
 * stays in it: its money arrived.
 */
async function takeBackProof(
  tx: Tx,
  by: CommandContext,
  { item, code, at }: { item: FoundItem; code: Answer; at: Date },
): Promise<string | null> {
  const { itemId, depositNumber } = item;
  if (depositNumber !== null) {
    return isChange(code) ? null : takeBackMicroDeposit(tx, by, { itemId, code, at });
  }
  await tx.updateTable('payoutFileItem').set({ isLive: false }).where('id', '=', itemId).execute();
  return null;
}

const AGAIN = 'Check the account and enter it again.';

function isChange(code: Answer): code is ChangeCode {
  return code in CHANGE_CODES;
}

/**
 * The reason for which a bank account is not verified after the answer to its prenote or to a micro-deposit, for its owner;
 * null where the company's file was at fault, so that another prenote can be sent. Of two deposits one may have arrived, so
 * that the account is entered again.
 */
function reasonOfProof(code: Answer, { depositNumber }: FoundItem): string | null {
  if (isChange(code)) {
    return `${code}: the bank has other details (${CHANGE_CODES[code].toLowerCase()}). ${AGAIN}`;
  }
  const isRejected = marksAccount(code) || depositNumber !== null;
  return isRejected ? `${code}: ${codeWords(code)}. ${AGAIN}` : null;
}
