import { sql } from 'kysely';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import type { Completion } from '#server/lib/left-bank.ts';
import { actOnMany } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept } from '#server/modules/acts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { fileNumber } from './content.ts';
import { readItems } from './items.ts';
import type { Item } from './items.ts';

type Clocked = Pick<Services, 'clock'>;
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lock>>>;
type Step = Doing<LockedFile, Clocked>;

/** Work of the server at each act of a payout file; the acts themselves are declared in the contract. */
export const payoutFiles: Kept<typeof payoutFile, LockedFile, Clocked> = {
  thing: payoutFile,
  table: 'payoutFile',
  lock,
  facts: ({ number, contentHash }) => ({ number: fileNumber(number), contentHash }),
  words: () => ({}),
  reasonColumn: 'downloadReason',
  effects: {
    download: refuseUnsound,
    downloadAgain: refuseUnsound,
    send,
    settle,
    cancel: async ({ tx, row }) => {
      await tx
        .updateTable('payoutFileItem')
        .set({ isLive: false })
        .where('fileId', '=', row.id)
        .execute();
    },
  },
};

function lock(tx: Tx, id: string) {
  return tx
    .selectFrom('payoutFile')
    .selectAll()
    .select('createdBy as userId')
    .select(sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeDay'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Refuses to give the file out if one of its checks fails: an owner is frozen, an account was marked, the time until
 * which the bank takes it has passed. The file is cancelled then, and another one is made.
 *
 * @throws {AppError} `payout_item_not_ready`, naming the payment; `payout_check_failed`
 */
async function refuseUnsound({ tx, services, by, row }: Step): Promise<void> {
  for (const { failure } of await checkPayoutFile(tx, services, by, row)) {
    if (failure !== null) throw failure;
  }
}

/**
 * Captures the hold of each payment into payouts in transit. Nothing refuses it that refused the download: the bank has
 * accepted the file.
 */
async function send({ tx, services, by, row }: Step): Promise<void> {
  const items = await readItems(tx, row.id);
  await actOnItems({ tx, services, by }, 'sendInFile', items);
}

type Doer = Pick<Step, 'tx' | 'services' | 'by'>;

/** Does an act of many withdrawals and bills, which both have, of items of a file. */
async function actOnItems(
  { tx, services, by }: Doer,
  name: 'sendInFile' | 'settle',
  items: readonly Pick<Item, 'withdrawalId' | 'billId'>[],
  input: Completion = {},
): Promise<void> {
  const idsOf = (ids: (string | null)[]) => ids.filter((id) => id !== null);
  await actOnMany(tx, services, by, withdrawals, name, {
    ...input,
    ids: idsOf(items.map(({ withdrawalId }) => withdrawalId)),
  });
  await actOnMany(tx, services, by, bills, name, {
    ...input,
    ids: idsOf(items.map(({ billId }) => billId)),
  });
}

/**
 * Completes the payments that are still on their way; not one that came back and is in a later file.
 *
 * @throws {AppError} `payout_day_invalid`
 */
async function settle({ tx, services, by, row, at, input }: Step): Promise<Effect> {
  const { timeZone } = await readSettings(tx);
  const since = invariant(row.movedAt, `payout file ${row.id} was sent without a time`);
  const leftBank = readLeftBank(input, { since, now: at, timeZone });
  const { leftBankOn } = leftBank;
  const completion = { leftBankOn, bankReference: leftBank.bankReference ?? '' };
  const { rows } = await sql<{ withdrawalId: string | null; billId: string | null }>`
    SELECT withdrawal_id, bill_id FROM payout_file_item AS item
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
     WHERE file_id = ${row.id} AND item.is_live
       AND (withdrawal.status = 'processing' OR bill.status = 'sent')
     ORDER BY trace_number`.execute(tx);
  await actOnItems({ tx, services, by }, 'settle', rows, completion);
  return { set: { ...leftBank }, details: leftBankDetails(leftBank) };
}
