import { sql } from 'kysely';
import { bankAccount } from '#contract/things/bank-account.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import { allowStatements } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import type { LeftBank } from '#server/lib/left-bank.ts';
import type { Completion } from '#server/lib/left-bank.ts';
import { act, actOnMany, lockToSend } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept } from '#server/modules/acts/index.ts';
import { selectBankAccounts } from '#server/modules/bank-accounts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { lockRequests, readItems } from './items.ts';
import type { Item, ItemIds } from './items.ts';

type Clocked = Pick<Services, 'clock'>;
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lock>>>;
type Step = Doing<LockedFile, Clocked>;

/** Work of the server at each act of a payout file; the acts themselves are declared in the contract. */
export const payoutFiles: Kept<typeof payoutFile, LockedFile, Clocked, Bank> = {
  thing: payoutFile,
  table: 'payoutFile',
  lock,
  facts: ({ number, contentHash }) => ({ number: fileNumber(number), contentHash }),
  words: () => ({}),
  reasonColumn: 'downloadReason',
  guardFacts: {
    columns: {
      hasStatements: sql<boolean>`EXISTS (SELECT FROM bank_statement)`,
      isEmpty: sql<boolean>`request.total_minor = 0`,
    },
  },
  guards: {
    // A file of prenotes alone is in no statement.
    settle: ({ known: { hasStatements, isEmpty } }) =>
      hasStatements && !isEmpty ? new AppError('payout_settled_by_line') : null,
  },
  effects: {
    download: refuseUnsound,
    downloadAgain: refuseUnsound,
    send,
    settle,
    settleByLine,
    cancel: async ({ tx, row }) => {
      await tx
        .updateTable('payoutFileItem')
        .set({ isLive: false })
        .where('fileId', '=', row.id)
        .execute();
    },
  },
};

interface Bank {
  /** True once the company has imported a statement. */
  hasStatements: boolean;
  /** True for a file without an amount. */
  isEmpty: boolean;
}

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
export async function refuseUnsound({
  tx,
  services,
  by,
  row,
}: Pick<Step, 'tx' | 'services' | 'by' | 'row'>): Promise<void> {
  for (const { failure } of await checkPayoutFile(tx, services, by, row)) {
    if (failure !== null) throw failure;
  }
}

/**
 * Captures the hold of each payment into payouts in transit, and records each prenote. Nothing refuses it that refused the
 * download: the bank has accepted the file.
 */
async function send({ tx, services, by, row, at }: Step): Promise<Effect> {
  const items = await readItems(tx, row.id);
  const requests = await lockRequests(tx, {
    withdrawal: among(items, 'withdrawalId'),
    bill: among(items, 'billId'),
    bank_account: among(items, 'bankAccountId'),
  });
  await lockToSend(
    tx,
    requests.flatMap(({ walletId }) => walletId ?? []),
  );
  await actOnItems({ tx, services, by }, 'sendInFile', items);
  await recordPrenotes({ tx, by, row, at });
  return { set: { sentAt: at } };
}

/** Records the prenotes of a file, of accounts that are still as they were when it was made. */
async function recordPrenotes({
  tx,
  by,
  row,
  at,
}: Omit<Step, 'services' | 'input'>): Promise<void> {
  const tested = await selectBankAccounts(tx)
    .innerJoin('payoutFileItem as item', 'item.bankAccountId', 'bankAccount.id')
    .select(['item.id as itemId', 'item.traceNumber'])
    .select(sql<string>`to_char(item.effective_on, 'YYYY-MM-DD')`.as('effectiveOn'))
    .where('item.fileId', '=', row.id)
    .where('item.isLive', '=', true)
    .whereRef('item.accountAsOf', '=', 'bankAccount.submittedAt')
    .where('bankAccount.status', '=', 'pending')
    .orderBy('item.traceNumber')
    .execute();
  for (const { id, userId, last4, itemId, traceNumber, effectiveOn } of tested) {
    journal(tx, by, bankAccount, 'test', {
      ...{ id, userId, at },
      details: {
        last4,
        file: fileNumber(row.number),
        item: itemId,
        trace: traceNumber,
        effectiveOn,
      },
    });
  }
}

function among(items: readonly Item[], column: 'withdrawalId' | 'billId' | 'bankAccountId') {
  return sql`id = ANY (${items.map((item) => item[column]).filter((id) => id !== null)}::uuid[])`;
}

/** Ten thousand payments take half a minute: longer than other requests. */
const STATEMENT_TIMEOUT_MS = 120_000;

type Doer = Pick<Step, 'tx' | 'services' | 'by'>;

/** Does an act of many withdrawals and bills, which both have, of items of a file. */
async function actOnItems(
  { tx, services, by }: Doer,
  name: 'sendInFile' | 'settle' | 'settleByLine',
  items: readonly ItemIds[],
  input: Completion = {},
): Promise<void> {
  await allowStatements(tx, STATEMENT_TIMEOUT_MS);
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
 * Settles sent files because lines of the company's statement have their amounts. Purser does it, not the person who matched
 * a line: somebody who matches lines may have a payment in a file. The payments of all files, and then their bank accounts,
 * are locked before the first file is settled.
 *
 * @param files.leftBankOn day of the line: `2026-12-04`
 * @throws {AppError} `payout_file_wrong_status` if one is not sent
 */
export async function settlePayoutFiles(
  tx: Tx,
  services: Clocked,
  files: readonly (LeftBank & { id: string; lineId: string })[],
): Promise<void> {
  if (files.length > 1) {
    const ids = files.map(({ id }) => id);
    const withdrawalIds = (await lockInTransit(tx, ids)).map(({ withdrawalId }) => withdrawalId);
    await sql`
      SELECT FROM bank_account
       WHERE id IN (SELECT bank_account_id FROM withdrawal WHERE id = ANY (${withdrawalIds}::uuid[]))
       ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  }
  for (const { lineId, ...paid } of files) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await act(tx, services, { actor: 'system' }, payoutFiles, 'settleByLine', {
      ...paid,
      ...{ bankReference: paid.bankReference ?? '', details: { lineId } },
    });
  }
}

/**
 * Completes the payments that are still on their way, by hand.
 *
 * @throws {AppError} `payout_day_invalid`
 */
async function settle(step: Step): Promise<Effect> {
  const { tx, row, at, input } = step;
  const { timeZone } = await readSettings(tx);
  const since = invariant(row.movedAt, `payout file ${row.id} was sent without a time`);
  return complete(step, 'settle', readLeftBank(input, { since, now: at, timeZone }));
}

/** Completes them because the company's statement has the file. The bank's day is not compared with that of sending. */
function settleByLine(step: Step): Promise<Effect> {
  const { leftBankOn, bankReference = '' } = step.input;
  return complete(step, 'settleByLine', {
    leftBankOn: invariant(leftBankOn, 'a statement line without a day'),
    bankReference: bankReference === '' ? null : bankReference,
  });
}

async function complete(
  { tx, services, by, row }: Step,
  name: 'settle' | 'settleByLine',
  leftBank: LeftBank,
): Promise<Effect> {
  const completion = { ...leftBank, bankReference: leftBank.bankReference ?? '' };
  await actOnItems({ tx, services, by }, name, await lockInTransit(tx, [row.id]), completion);
  return { set: { ...leftBank }, details: leftBankDetails(leftBank) };
}

/**
 * Locks the payments of files that are still on their way. One that came back while this waits for its row is left out, and
 * one that was sent again is settled by its later file.
 */
function lockInTransit(tx: Tx, fileIds: readonly string[]): ReturnType<typeof lockRequests> {
  const inFile = (column: 'withdrawal_id' | 'bill_id') => sql`
    id IN (SELECT ${sql.ref(column)} FROM payout_file_item
            WHERE file_id = ANY (${fileIds}::uuid[]) AND is_live)`;
  return lockRequests(tx, {
    withdrawal: sql`status = 'processing' AND ${inFile('withdrawal_id')}`,
    bill: sql`status = 'sent' AND ${inFile('bill_id')}`,
    bank_account: sql`false`,
  });
}
