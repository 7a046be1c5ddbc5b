import { sql } from 'kysely';
import { bankingToday } from '#contract/banking-days.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { leftBankDetails, readLeftBank } from '#server/lib/left-bank.ts';
import type { LeftBank } from '#server/lib/left-bank.ts';
import { act } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept, KeptRow } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_PAYMENTS } from './chunks.ts';
import type { ItemIds } from './items.ts';
import { lockFile, lockInTransit, nextItems, postFirst } from './post-payout-file.ts';
import type { LockedFile } from './post-payout-file.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedFile, Clocked>;

/** Work of the server at each act of a payout file; the acts themselves are declared in the contract. */
export const payoutFiles: Kept<typeof payoutFile, LockedFile, Clocked, Bank, Legal> = {
  thing: payoutFile,
  table: 'payoutFile',
  lock: lockFile,
  facts: ({ number, contentHash }) => ({ number: fileNumber(number), contentHash }),
  words: () => ({}),
  reasonColumn: 'downloadReason',
  // Its payments are posted in their order: first all are sent.
  rowGuards: {
    settle: refuseUnposted,
    settleByLine: refuseUnposted,
    settlePrenotes: refuseUnposted,
  },
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
    send,
    settle,
    settleByLine,
    settlePrenotes: settleByLine,
    cancel: async ({ tx, row }) => {
      await tx
        .updateTable('payoutFileItem')
        .set({ isLive: false })
        .where('fileId', '=', row.id)
        .execute();
    },
  },
  followedBy: {
    send: postTheFirst,
    settle: postTheFirst,
    settleByLine: postTheFirst,
    settlePrenotes: postTheFirst,
  },
};

/** Columns by which acts are refused besides the status. */
type Legal = KeptRow & Pick<LockedFile, 'unpostedAfter'>;

function refuseUnposted({ unpostedAfter }: Legal): AppError | null {
  return unpostedAfter === null ? null : new AppError('payout_file_unposted');
}

interface Bank {
  /** True once the company has imported a statement. */
  hasStatements: boolean;
  /** True for a file without an amount. */
  isEmpty: boolean;
}

/**
 * Marks the file as sent; its payments are posted from there on. Nothing refuses it that refused the download: the bank has
 * accepted the file. Only somebody who has no payment in it sends it.
 *
 * @throws {AppError} `own_request`
 */
async function send({ tx, by, row, at }: Step): Promise<Effect> {
  await refuseOwn(tx, by, row.id);
  return { set: { sentAt: at, unpostedAfter: '' } };
}

/** @throws {AppError} `own_request` for a live payment of the person who acts */
async function refuseOwn(tx: Tx, by: Step['by'], fileId: string): Promise<void> {
  const { rows } = await sql`
    SELECT FROM payout_file_item AS item
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
     WHERE item.file_id = ${fileId} AND item.is_live
       AND coalesce(withdrawal.user_id, bill.user_id) = ${personOf(by).actor.id} LIMIT 1`.execute(
    tx,
  );
  if (rows.length > 0) throw new AppError('own_request');
}

/**
 * Settles sent files because lines of the company's statement have their amounts. Purser does it, not the person who matched
 * a line: somebody who matches lines may have a payment in a file. The payments of all files that are completed here, and then
 * their bank accounts, are locked before the first file is settled.
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
    const first: ItemIds[] = [];
    for (const { id } of files) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      first.push(...(await nextItems(tx, id, '')).slice(0, CHUNK_PAYMENTS));
    }
    const withdrawalIds = (await lockInTransit(tx, first)).map(({ withdrawalId }) => withdrawalId);
    await sql`
      SELECT FROM bank_account
       WHERE id IN (SELECT bank_account_id FROM withdrawal WHERE id = ANY (${withdrawalIds}::uuid[]))
       ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  }
  for (const { lineId, ...paid } of files) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await act(tx, services, { actor: 'system' }, payoutFiles, 'settleByLine', {
      ...paid,
      bankReference: paid.bankReference ?? '',
      details: { lineId },
    });
  }
}

/**
 * Settles the files of prenotes alone whose last day is over in New York, on that day. No statement line has them. Called each
 * hour.
 *
 * @returns number of files
 */
export async function settlePrenoteFiles(db: Db, services: Clocked): Promise<number> {
  const today = bankingToday(services.clock.now(), 'USD');
  const { rows } = await sql<{ id: string; leftBankOn: string }>`
    SELECT file.id, to_char(max(item.effective_on), 'YYYY-MM-DD') AS left_bank_on
      FROM payout_file AS file JOIN payout_file_item AS item ON item.file_id = file.id
     WHERE file.status = 'sent' AND file.total_minor = 0 AND file.unposted_after IS NULL
     GROUP BY file.id HAVING max(item.effective_on) < ${today}::date ORDER BY file.id`.execute(db);
  for (const { id, leftBankOn } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction for each
    await withTx(db, (tx) =>
      act(tx, services, { actor: 'system' }, payoutFiles, 'settlePrenotes', { id, leftBankOn }),
    );
  }
  return rows.length;
}

/**
 * Settles the file by hand; its payments that are still on their way are completed from there on.
 *
 * @throws {AppError} `payout_day_invalid`, `own_request`
 */
async function settle({ tx, by, row, at, input }: Step): Promise<Effect> {
  const { timeZone } = await readSettings(tx);
  const since = invariant(row.movedAt, `payout file ${row.id} was sent without a time`);
  const leftBank = readLeftBank(input, { since, now: at, timeZone });
  await refuseOwn(tx, by, row.id);
  return settled(leftBank);
}

/** Settles it because the company's statement has the file, or because it has no amount. The bank's day is not compared with that of sending. */
async function settleByLine({ input: { leftBankOn, bankReference = '' } }: Step): Promise<Effect> {
  return settled({
    leftBankOn: invariant(leftBankOn, 'a statement line without a day'),
    bankReference: bankReference === '' ? null : bankReference,
  });
}

function settled(leftBank: LeftBank): Effect {
  return { set: { ...leftBank, unpostedAfter: '' }, details: leftBankDetails(leftBank) };
}

function postTheFirst({ tx, services, by, row }: Step): Promise<void> {
  return postFirst(tx, services, by, row.id);
}
