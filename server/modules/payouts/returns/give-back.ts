import { sql } from 'kysely';
import { CHANGE_CODES, codeWords, marksAccount } from '#contract/ach-codes.ts';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import { actOnMany } from '#server/modules/acts/index.ts';
import { failProof } from '#server/modules/bank-accounts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { takeBackMicroDeposit } from '../micro-deposits.ts';
import type { FoundItem } from './judge.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Answer = ReturnCode | ChangeCode;

/** A return that is booked to a payment. */
export interface ToGiveBack {
  entryId: string;
  item: FoundItem;
  code: Answer;
}

/**
 * Gives the money of payments back that were sent in files, each payment once: all of them or, where one is refused, none.
 * Out of payouts in transit while the file is not settled, and otherwise by the reversal of the settlement first. The bank
 * account of a prenote or a micro-deposit is marked as not verified; a prenote had no money, and a notification of change
 * gives none back.
 *
 * @returns ids of the reversals, by the ids of the entries; null where there is none
 * @throws {AppError} `own_request`, `second_person_needed`
 */
export async function giveBack(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  returns: readonly ToGiveBack[],
): Promise<ReadonlyMap<string, string | null>> {
  const reversals = new Map<string, string | null>();
  const payments: ToGiveBack[] = [];
  for (const one of returns) {
    if (one.item.bankAccountId === null) payments.push(one);
    // oxlint-disable-next-line no-await-in-loop -- one transaction; few are of prenotes and micro-deposits
    else reversals.set(one.entryId, await giveBackProof(tx, services, by, one));
  }
  if (payments.length === 0) return reversals;
  const ofWithdrawals = inputsOf(payments, 'withdrawalId');
  await actOnMany(tx, services, by, withdrawals, 'returnByFile', ofWithdrawals);
  await actOnMany(tx, services, by, bills, 'returnByFile', inputsOf(payments, 'billId'));
  const found = await reversalsOf(tx, payments);
  for (const { entryId, item } of payments) {
    const reversal = found.get(item.itemId);
    reversals.set(entryId, invariant(reversal, `${item.reference} came back without a reversal`));
  }
  return reversals;
}

/** Withdrawals or bills of returns, with the input of each. */
function inputsOf(payments: readonly ToGiveBack[], column: 'withdrawalId' | 'billId') {
  const inputs = payments.flatMap(({ item, code, entryId }) => {
    if (isChange(code)) throw new InvariantError(`${item.reference} came back by ${code}`);
    const id = item[column];
    const reason = `${code}: ${codeWords(code)}`;
    const input = { reason, returnCode: code, details: { code, returnEntry: entryId } };
    return id === null ? [] : [[id, input] as const];
  });
  return { ids: inputs.map(([id]) => id), inputs: new Map(inputs) };
}

/** Reversals of payments, by the ids of their items. */
async function reversalsOf(
  tx: Tx,
  payments: readonly ToGiveBack[],
): Promise<ReadonlyMap<string, string>> {
  const itemIds = payments.map(({ item }) => item.itemId);
  const { rows } = await sql<{ itemId: string; id: string }>`
    SELECT item.id AS item_id, reversal.id
      FROM payout_file_item AS item
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
      JOIN ledger_transaction AS reversal
        ON reversal.reverses_id = coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id)
     WHERE item.id = ANY (${itemIds}::uuid[])`.execute(tx);
  return new Map(rows.map(({ itemId, id }) => [itemId, id]));
}

async function giveBackProof(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { item, code, entryId }: ToGiveBack,
): Promise<string | null> {
  const bankAccountId = invariant(item.bankAccountId, `${item.itemId} is of no bank account`);
  const transactionId = await takeBackProof(tx, by, { item, code, at: services.clock.now() });
  const reason = reasonOfProof(code, item);
  if (reason !== null) {
    const details = { code, returnEntry: entryId };
    const failed = { bankAccountId, asOf: item.requestedAt, reason, details };
    await failProof(tx, services, by, failed);
  }
  return transactionId;
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
