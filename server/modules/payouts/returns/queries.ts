import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { REFUSED_SHOWN } from '#contract/payouts.ts';
import { RETURN_ENTRIES_SHOWN, RETURNED_PAYMENTS_FOUND } from '#contract/returns.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { kindOfItem, PROOF_REFERENCE } from '../items.ts';
import type { Attempt } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';

type Returns = RouteReply<'adminGetReturns'>;
type File = Returns['files'][number];
type Entry = Returns['entries'][number];
type Payment = NonNullable<Entry['payment']>;
type Details = NonNullable<Entry['change']>['before'];

/** Most files that the page of returns lists. */
const NEWEST_FILES = 50;

function selectFiles(reader: Reader) {
  return reader
    .selectFrom('returnFile as file')
    .innerJoin('appUser as booker', 'booker.id', 'file.createdBy')
    .select(['file.id', 'file.fileName', 'file.bankName', 'file.createdAt', 'file.entryCount'])
    .select(['file.totalMinor', 'file.currency', 'booker.name as bookedBy'])
    .select([
      sql<string>`to_char(file.made_on, 'YYYY-MM-DD')`.as('madeOn'),
      sql<number>`(SELECT count(*)::int FROM return_entry
                    WHERE file_id = file.id AND status IN ('unknown', 'proposed'))
                 + (SELECT count(*)::int FROM return_entry
                     WHERE file_id = file.id AND refused_why IS NOT NULL)`.as('open'),
      sql<number>`(SELECT count(*)::int FROM return_entry
                    WHERE file_id = file.id AND status = 'waiting')`.as('waiting'),
    ]);
}

function presentFile(
  row: Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number],
): File {
  const { createdAt, totalMinor, currency, ...file } = row;
  return { ...file, bookedAt: createdAt.toISOString(), total: money(totalMinor, currency) };
}

/** The file with these bytes, if it was booked. */
export async function findReturnFile(reader: Reader, contentHash: string): Promise<File | null> {
  const row = await selectFiles(reader)
    .where('file.contentHash', '=', contentHash)
    .executeTakeFirst();
  return row === undefined ? null : presentFile(row);
}

/** The returns files in which banks ask for other details of these accounts, by the ids of the accounts. */
export async function findChangeFiles(
  reader: Reader,
  bankAccountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (bankAccountIds.length === 0) return new Map();
  const { rows } = await sql<{ accountId: string; fileId: string }>`
    SELECT paid.bank_account_id AS account_id, entry.file_id
      FROM return_entry AS entry
      JOIN payout_file_item AS item ON item.id = entry.item_id
      JOIN withdrawal AS paid ON paid.id = item.withdrawal_id
      JOIN bank_account AS account ON account.id = paid.bank_account_id
     WHERE entry.status = 'proposed' AND account.submitted_at <= paid.requested_at
       AND account.id = ANY (${bankAccountIds}::uuid[])
     ORDER BY entry.moved_at DESC, entry.record_number DESC`.execute(reader);
  return new Map(rows.map(({ accountId, fileId }) => [accountId, fileId]));
}

/** @throws {AppError} `return_file_not_found` */
export async function loadReturnFile(reader: Reader, id: string): Promise<File> {
  const row = await selectFiles(reader).where('file.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('return_file_not_found');
  return presentFile(row);
}

/**
 * The newest files, and one of them with a page of its entries: those that need an administrator first, then those that
 * are booked, each by their place in the file.
 *
 * @throws {AppError} `return_file_not_found`
 */
export async function getReturns(
  reader: Reader,
  id: string | undefined,
  page = 1,
): Promise<Returns> {
  const rows = await selectFiles(reader)
    .orderBy('file.createdAt', 'desc')
    .orderBy('file.id', 'desc')
    .limit(NEWEST_FILES)
    .execute();
  const files = rows.map(presentFile);
  const file = id === undefined ? (files[0] ?? null) : await loadReturnFile(reader, id);
  return {
    files,
    file,
    figures: await readFigures(reader, file),
    entries: file === null ? [] : await readEntries(reader, file, page),
    refused: file === null || file.waiting === 0 ? [] : await readRefused(reader, file),
    entryCount: file === null ? 0 : file.entryCount - file.waiting,
  };
}

interface Sums {
  unknown: number;
  unknownMinor: bigint;
  booked: number;
  bookedMinor: bigint;
  wallets: number;
  changes: number;
  open: number;
}

async function readFigures(reader: Reader, file: File | null): Promise<Returns['figures']> {
  const { currency } = file?.total ?? (await readSettings(reader));
  const { rows } = await sql<Sums>`
    SELECT count(*) FILTER (WHERE entry.status = 'unknown')::int AS unknown,
           coalesce(sum(entry.amount_minor) FILTER (WHERE entry.status = 'unknown'), 0)::bigint AS unknown_minor,
           count(*) FILTER (WHERE entry.status = 'booked')::int AS booked,
           coalesce(sum(entry.amount_minor) FILTER (WHERE entry.status = 'booked'), 0)::bigint AS booked_minor,
           count(DISTINCT coalesce(withdrawal.wallet_id, bill.wallet_id)) FILTER (WHERE entry.status = 'booked')::int AS wallets,
           count(*) FILTER (WHERE entry.status IN ('proposed', 'accepted', 'declined'))::int AS changes,
           count(*) FILTER (WHERE entry.status = 'proposed')::int AS open
      FROM return_entry AS entry
      LEFT JOIN payout_file_item AS item ON item.id = entry.item_id
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
     WHERE entry.file_id = ${file?.id ?? null}`.execute(reader);
  const sums = invariant(rows[0], 'sums of no rows');
  return {
    unknown: { count: sums.unknown, total: money(sums.unknownMinor, currency) },
    booked: {
      count: sums.booked,
      total: money(sums.bookedMinor, currency),
      wallets: sums.wallets,
    },
    changes: { count: sums.changes, open: sums.open },
  };
}

/** SQL of the payments of payout files, with what is shown of each. */
const PAYMENTS = sql`
  SELECT item.id AS item_id, item.is_live, item.amount_minor, file.number AS file_number, file.currency,
         file.status AS file_status, owner.id AS owner_id, owner.name AS owner_name, owner.employee_number,
         ${kindOfItem} AS kind, coalesce(withdrawal.id, bill.id, bank.id) AS id,
         coalesce(withdrawal.reference, bill.reference, ${PROOF_REFERENCE}) AS reference,
         coalesce(withdrawal.status, bill.status, bank.status) AS status,
         coalesce(bill.payee_name, owner.name) AS pay_to,
         coalesce(withdrawal.bank_name, bank.bank_name) AS bank_name,
         coalesce(withdrawal.bank_last4, bill.payee_last4, bank.last4) AS last4, wallet.type AS wallet_type,
         wallet.last4 AS wallet_last4,
         -- The places of a file are in the order of its trace numbers.
         (SELECT count(*)::int FROM payout_file_item AS before
           WHERE before.file_id = item.file_id AND before.trace_number <= item.trace_number) AS position,
         (SELECT json_build_object('id', resent.id, 'reference', resent.reference) FROM (
            SELECT id, reference FROM withdrawal AS one
             WHERE one.resends_id = withdrawal.id AND one.status NOT IN ('rejected', 'cancelled')
            UNION ALL
            SELECT id, reference FROM bill AS one
             WHERE one.resends_id = bill.id AND one.status NOT IN ('rejected', 'cancelled')) AS resent) AS resent_as,
         coalesce(bank.returned_withdrawal_id = withdrawal.id, payee.returned_bill_id = bill.id,
                  bank.status = 'rejected' AND bank.submitted_at = item.account_as_of, false) AS is_marked,
         CASE WHEN bill.id IS NULL
              THEN (SELECT count(*)::int FROM withdrawal AS held
                     WHERE held.bank_account_id = bank.id AND held.status = 'approved'
                       AND bank.submitted_at <= withdrawal.requested_at)
              ELSE (SELECT count(*)::int FROM bill AS held
                     WHERE held.payee_id = payee.id AND held.status = 'due') END AS held
    FROM payout_file_item AS item
    JOIN payout_file AS file ON file.id = item.file_id
    LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
    LEFT JOIN bill ON bill.id = item.bill_id
    LEFT JOIN bank_account AS bank ON bank.id = coalesce(withdrawal.bank_account_id, item.bank_account_id)
    LEFT JOIN payee ON payee.id = bill.payee_id
    LEFT JOIN wallet ON wallet.id = coalesce(withdrawal.wallet_id, bill.wallet_id)
    JOIN app_user AS owner ON owner.id = coalesce(withdrawal.user_id, bill.user_id, bank.user_id)`;

interface PaymentRow {
  itemId: string;
  amountMinor: bigint;
  fileNumber: number;
  currency: Currency;
  ownerId: string;
  ownerName: string;
  employeeNumber: string | null;
  kind: Payment['kind'];
  id: string;
  reference: string;
  payTo: string;
  bankName: string | null;
  last4: string;
  /** Null of a prenote and a micro-deposit. */
  walletType: WalletType | null;
  walletLast4: string | null;
  position: number;
  isMarked: boolean;
  /** Approved payouts to the bank account, or bills of the payee that are due. */
  held: number;
  resentAs: Attempt | null;
}

function presentPayment(row: PaymentRow): Payment {
  return {
    itemId: row.itemId,
    kind: row.kind,
    id: row.id,
    reference: row.reference,
    resentAs: row.resentAs,
    payTo: row.payTo,
    bankName: row.bankName,
    last4: row.last4,
    position: row.position,
    employee: { id: row.ownerId, name: row.ownerName, employeeId: row.employeeNumber },
    wallet:
      row.walletType === null
        ? null
        : `${WALLET_LABELS[row.walletType]} ••${row.walletLast4 ?? ''}`,
    amount: money(row.amountMinor, row.currency),
    fileNumber: fileNumber(row.fileNumber),
  };
}

function selectEntries(reader: Reader, fileId: string) {
  return reader
    .selectFrom('returnEntry as entry')
    .innerJoin('appUser as mover', 'mover.id', 'entry.movedBy')
    .selectAll('entry')
    .select(['mover.name as by', sql<string | null>`to_char(due_on, 'YYYY-MM-DD')`.as('dueDay')])
    .where('entry.fileId', '=', fileId);
}
type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number];

async function readEntries(reader: Reader, file: File, page: number): Promise<Entry[]> {
  const entries = await selectEntries(reader, file.id)
    .where('entry.status', '<>', 'waiting')
    .orderBy(
      sql`CASE entry.status WHEN 'unknown' THEN 0 WHEN 'proposed' THEN 1 WHEN 'booked' THEN 2 ELSE 3 END`,
    )
    .orderBy('entry.recordNumber')
    .limit(RETURN_ENTRIES_SHOWN)
    .offset((page - 1) * RETURN_ENTRIES_SHOWN)
    .execute();
  return presentEntries(reader, file, entries);
}

/** The first entries of a file that the ledger refused, each with the reason and the time of the last try. */
async function readRefused(reader: Reader, file: File): Promise<Returns['refused']> {
  const rows = await selectEntries(reader, file.id)
    .where('entry.refusedWhy', 'is not', null)
    .orderBy('entry.recordNumber')
    .limit(REFUSED_SHOWN)
    .execute();
  const entries = await presentEntries(reader, file, rows);
  return rows.map(({ refusedWhy, refusedAt }, at) => ({
    ...invariant(entries[at], 'each row is presented'),
    why: refusedWhy ?? '',
    triedAt: invariant(refusedAt, 'a refused return was tried').toISOString(),
  }));
}

async function presentEntries(
  reader: Reader,
  { total }: File,
  entries: readonly EntryRow[],
): Promise<Entry[]> {
  const itemIds = entries.flatMap(({ itemId }) => itemId ?? []);
  const { rows } = await sql<PaymentRow>`
    SELECT * FROM (${PAYMENTS}) AS payment WHERE item_id = ANY (${itemIds}::uuid[])`.execute(
    reader,
  );
  const payments = new Map(rows.map((row) => [row.itemId, row]));
  return entries.map((entry) => {
    const payment = entry.itemId === null ? undefined : payments.get(entry.itemId);
    const isMarked = entry.status === 'booked' && payment?.isMarked === true;
    return {
      id: entry.id,
      record: entry.recordNumber,
      kind: entry.kind,
      code: entry.code,
      traceNumber: entry.originalTrace,
      receiver: entry.receiver,
      status: entry.status,
      cause: entry.cause,
      amount: money(entry.amountMinor, total.currency),
      payment: payment === undefined ? null : presentPayment(payment),
      isMarked,
      held: isMarked || entry.status === 'proposed' ? (payment?.held ?? 0) : 0,
      change:
        entry.dueDay === null
          ? null
          : {
              before: entry.detailsBefore as unknown as Details,
              after: entry.detailsAfter as unknown as Details,
              dueOn: entry.dueDay,
              // `offerChanges` adds it.
              refusal: null,
            },
      at: entry.movedAt.toISOString(),
      by: entry.by,
    };
  });
}

/** Payments that a return of an amount could be of. */
export interface FoundPayments {
  amountMinor: bigint;
  payments: Payment[];
}

/**
 * Payments that a return could be of: sent, of its amount, not come back, with a text in their reference or person; the
 * newest first.
 *
 * @throws {AppError} `return_entry_not_found`
 */
export async function findReturnedPayments(
  reader: Reader,
  { id, search }: { id: string; search: string },
): Promise<FoundPayments> {
  const { rows: found } = await sql<{ amountMinor: bigint }>`
    SELECT amount_minor FROM return_entry WHERE id = ${id}`.execute(reader);
  if (found.length === 0) throw new AppError('return_entry_not_found');
  const { amountMinor } = invariant(found[0], 'a row that was found');
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<PaymentRow>`
    SELECT * FROM (${PAYMENTS}) AS payment
     WHERE amount_minor = ${amountMinor} AND is_live AND file_status IN ('sent', 'settled')
       AND (kind IN ('prenote', 'micro_deposit') OR status IN ('processing', 'completed', 'sent', 'paid'))
       AND (search_text(reference) LIKE search_text(${pattern}) OR search_text(pay_to) LIKE search_text(${pattern})
            OR search_text(owner_name) LIKE search_text(${pattern}))
     ORDER BY file_number DESC, position LIMIT ${RETURNED_PAYMENTS_FOUND}`.execute(reader);
  return { amountMinor, payments: rows.map(presentPayment) };
}
