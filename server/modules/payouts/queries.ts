import { sql } from 'kysely';
import type { PayoutFile, RouteArguments, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import {
  CAME_BACK_SHOWN,
  PAYOUT_ENTRIES_SHOWN,
  PAYOUT_FILES_SHOWN,
  PAYOUTS_SHOWN,
  reversalDay,
} from '#contract/payouts.ts';
import type { PayeeGroup, PayoutKind } from '#contract/payouts.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { momentIn } from '#server/lib/calendar.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import {
  recordedActs,
  stepsOf,
  withItsActs,
  withUnwrittenActs,
} from '#server/modules/acts/index.ts';
import { readDuties, refusalOf, thresholdOf } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { fileNameOf, messageIdOf } from './content.ts';
import { kindOfItem, PROOF_REFERENCE, selectItemRequests } from './items.ts';
import { payoutFiles } from './payout-file.ts';
import { reversalsOf } from './reversals/queries.ts';
import { inLots, isReady, presentPayable, readPayables, readyFor } from './payable.ts';
import type { Payable } from './payable.ts';
import { readProfile } from './profile.ts';
import type { StoredProfile } from './profile.ts';
import { sameDayNow } from './same-day.ts';

type Clocked = Pick<Services, 'clock'>;

interface Batch {
  number: number;
  payees: PayeeGroup;
  effectiveOn: string;
  count: number;
  total: string;
}

function selectFiles(reader: Reader) {
  return reader
    .selectFrom('payoutFile')
    .innerJoin('appUser as maker', 'maker.id', 'payoutFile.createdBy')
    .selectAll('payoutFile')
    .select(['payoutFile.createdBy as userId', 'maker.name as makerName'])
    .select([
      sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeDay'),
      sql<{ count: number; total: string }>`(
        SELECT json_build_object('count', count(*), 'total', coalesce(sum(amount_minor), 0)::text)
          FROM payout_file_item
         WHERE file_id = payout_file.id AND NOT is_live AND payout_file.status <> 'cancelled')`.as(
        'returned',
      ),
      sql<string | null>`to_char(payout_file.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
      sql<number>`CASE WHEN unposted_after IS NULL THEN 0 ELSE (
        SELECT count(*)::int FROM payout_file_item
         WHERE file_id = payout_file.id AND is_live AND trace_number > unposted_after) END`.as(
        'unposted',
      ),
      sql<Batch[]>`(
        SELECT json_agg(batch ORDER BY batch.number)
          FROM (SELECT batch_number AS number, payees, to_char(effective_on, 'YYYY-MM-DD') AS "effectiveOn",
                       count(*)::int AS count, sum(amount_minor)::text AS total
                  FROM payout_file_item WHERE file_id = payout_file.id
                 GROUP BY batch_number, payees, effective_on) AS batch)`.as('batches'),
    ])
    .select(recordedActs(payoutFile, 'payout_file.id').as('done'));
}
type FileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number];

/** @throws {AppError} `payout_file_not_found` */
export async function loadPayoutFile(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
): Promise<PayoutFile> {
  const row = await selectFiles(reader).where('payoutFile.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('payout_file_not_found');
  const known = withUnwrittenActs(reader, payoutFile, row);
  const shown = await withItsActs(reader, services, payoutFiles, { actor, as: 'admin' }, known);
  const isOpen = row.status === 'prepared' || row.status === 'downloaded';
  const checks = isOpen ? await checkPayoutFile(reader, services, { actor }, row) : [];
  const waitsFor = row.status === 'prepared' ? await readReleasers(reader, row) : [];
  return present({ ...shown, checks, waitsFor });
}

/** @throws {AppError} `payout_file_not_found` */
export async function getPayoutFile(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  { number, page = 1 }: { number: string; page?: number },
): Promise<RouteReply<'adminGetPayoutFile'>> {
  const row = await reader
    .selectFrom('payoutFile')
    .select('id')
    .where('number', '=', Number(number))
    .executeTakeFirst();
  if (row === undefined) throw new AppError('payout_file_not_found');
  const file = await loadPayoutFile(reader, services, by, row.id);
  return {
    ...file,
    entries: await readEntries(reader, row.id, page),
    reversals: await reversalsOf(reader, services, by, row.id),
  };
}

/** Payments that can leave now, those that cannot and why, and a page of the files. */
export async function getPayouts(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  { filesPage = 1, search = '', payees = 'all', on = 'all' }: Partial<Query> = {},
): Promise<RouteReply<'adminGetPayouts'>> {
  const settings = await readSettings(reader);
  const bank = readProfile(settings);
  const sameDay = bank && sameDayNow(settings, services.clock.now());
  const payables = await readPayables(reader, services, { by, settings });
  const ready = payables.filter(isReady);
  const asked = readyFor(payables, { search, payees, on });
  const held = payables.flatMap((payable) => {
    const { refusal, reason, inFile } = payable;
    return inFile !== null || refusal === null ? [] : [{ ...payable, reason, refusal }];
  });
  const sumOf = (some: readonly Payable[]) => ({
    count: some.length,
    total: money(
      some.reduce((total, { amountMinor }) => total + amountMinor, 0n),
      settings.currency,
    ),
  });
  const files = await selectFiles(reader)
    .orderBy('payoutFile.number', 'desc')
    .limit(PAYOUT_FILES_SHOWN)
    .offset((filesPage - 1) * PAYOUT_FILES_SHOWN)
    .execute();
  const now = services.clock.now();
  const waiting = await readAround(reader);
  const cameBack = await readReturned(reader, settings, now);
  const cameBackOf = await readCameBack(reader, files);
  return {
    hasFiles: bank !== null,
    hasPrenotes: settings.bankAccountProof === 'prenote',
    hasMicroDeposits: settings.bankAccountProof === 'micro_deposits',
    bankName: bank?.profile.bankName ?? null,
    bankLast4: bank?.profile.accountNumber.slice(-4) ?? null,
    ready: inLots(asked).flat().slice(0, PAYOUTS_SHOWN).map(presentPayable),
    lots: inLots(asked).map((lot) => ({ ...lotOf(lot), ...sumOf(lot) })),
    readySum: sumOf(ready),
    readyWithdrawals: ready.filter(({ kind }) => kind === 'withdrawal').length,
    readyPrenotes: ready.filter(({ kind }) => kind === 'prenote').length,
    readyMicroDeposits: ready.filter(({ kind }) => kind === 'micro_deposit').length,
    readyDays: [...new Set(ready.map(({ effectiveOn }) => effectiveOn))].toSorted(),
    held: held.slice(0, PAYOUTS_SHOWN).map((payable) => {
      const { reason, refusal, bankAccountId } = payable;
      return { ...presentPayable(payable), reason, refusal, bankAccountId };
    }),
    heldSum: sumOf(held),
    onItsWay: money(waiting.minor, settings.currency),
    sentFiles: {
      ...{ count: waiting.sentCount, from: waiting.sentFrom, to: waiting.sentTo },
      number: waiting.sentCount === 1 ? fileNumber(waiting.sentNumber ?? 0) : null,
    },
    ...cameBack,
    openReturns: waiting.openReturns,
    coming: { withdrawals: waiting.pending, nextBillOn: waiting.nextBillOn },
    sameDay: sameDay && {
      until: sameDay.until.toISOString(),
      most: money(sameDay.mostMinor, settings.currency),
      on: sameDay.day,
    },
    files: files.map((row) => ({
      ...presentRow(row),
      cameBack: cameBackOf.get(row.id) ?? [],
    })),
    fileCount: waiting.files,
  };
}

type CameBack = RouteReply<'adminGetPayouts'>['files'][number]['cameBack'][number];

interface CameBackRow extends Omit<CameBack, 'employee' | 'amount' | 'at'> {
  fileId: string;
  amountMinor: bigint;
  at: Date;
  ownerId: string;
  ownerName: string;
  employeeNumber: string | null;
}

/** The first payments that came back of each of these files, by the id of the file. */
async function readCameBack(
  reader: Reader,
  files: readonly FileRow[],
): Promise<ReadonlyMap<string, CameBack[]>> {
  const returned = files.filter((file) => file.returned.count > 0);
  const [first] = returned;
  if (first === undefined) return new Map();
  const { rows } = await sql<CameBackRow>`
    SELECT * FROM (
      SELECT item.id, item.file_id, item.amount_minor, entry.code,
             coalesce(entry.moved_at, withdrawal.moved_at, bill.moved_at, bank.moved_at) AS at,
             coalesce(bill.payee_name, owner.name) AS pay_to,
             coalesce(withdrawal.bank_name, bank.bank_name) AS bank_name,
             coalesce(withdrawal.bank_last4, bill.payee_last4, bank.last4) AS last4,
             owner.id AS owner_id, owner.name AS owner_name, owner.employee_number,
             row_number() OVER (PARTITION BY item.file_id ORDER BY item.trace_number) AS place
        FROM payout_file_item AS item
        LEFT JOIN return_entry AS entry ON entry.item_id = item.id AND entry.status = 'booked'
        LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
        LEFT JOIN bill ON bill.id = item.bill_id
        LEFT JOIN bank_account AS bank ON bank.id = item.bank_account_id
        JOIN app_user AS owner ON owner.id = coalesce(withdrawal.user_id, bill.user_id, bank.user_id)
       WHERE item.file_id = ANY (${returned.map(({ id }) => id)}::uuid[]) AND NOT item.is_live) AS back
     WHERE place <= ${CAME_BACK_SHOWN} ORDER BY file_id, place`.execute(reader);
  const shown = rows.map(({ fileId, amountMinor, ownerId, ownerName, ...row }) => ({
    fileId,
    ...{ id: row.id, payTo: row.payTo, bankName: row.bankName, last4: row.last4, code: row.code },
    employee: { id: ownerId, name: ownerName, employeeId: row.employeeNumber },
    ...{ amount: money(amountMinor, first.currency), at: row.at.toISOString() },
  }));
  return Map.groupBy(shown, ({ fileId }) => fileId);
}

interface Around {
  /** Sum of what was sent and is not settled. */
  minor: bigint;
  sentCount: number;
  sentNumber: number | null;
  sentFrom: string | null;
  sentTo: string | null;
  files: number;
  openReturns: number;
  pending: number;
  nextBillOn: string | null;
}

/** Facts around what is ready: what is on its way, what is to be decided, and what comes next. */
async function readAround(reader: Reader): Promise<Around> {
  const { rows } = await sql<Around>`
    SELECT coalesce(sum(item.amount_minor), 0)::bigint AS minor, count(DISTINCT item.file_id)::int AS sent_count,
           max(file.number) AS sent_number, to_char(min(item.effective_on), 'YYYY-MM-DD') AS sent_from,
           to_char(max(item.effective_on), 'YYYY-MM-DD') AS sent_to,
           (SELECT count(*)::int FROM payout_file) AS files,
           (SELECT count(*)::int FROM return_entry WHERE status IN ('unknown', 'proposed')) AS open_returns,
           (SELECT count(*)::int FROM withdrawal WHERE status = 'pending') AS pending,
           (SELECT to_char(min(pay_on), 'YYYY-MM-DD') FROM bill WHERE status = 'scheduled') AS next_bill_on
      FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
     WHERE file.status = 'sent' AND item.is_live`.execute(reader);
  return invariant(rows[0], 'a sum gave no row');
}

/**
 * Payments of payout files that came back in this month of the company, and today: by a returns file, or typed in by an
 * administrator.
 */
async function readReturned(
  reader: Reader,
  { timeZone, currency }: { timeZone: string; currency: Currency },
  now: Date,
): Promise<Pick<RouteReply<'adminGetPayouts'>, 'returnedThisMonth' | 'returnedToday'>> {
  const today = dayIn(timeZone, now);
  const { rows } = await sql<{ minor: bigint; number: number; at: Date }>`
    SELECT item.amount_minor AS minor, file.number, came_back.at
      FROM payout_file AS file
      JOIN payout_file_item AS item ON item.file_id = file.id AND NOT item.is_live
      LEFT JOIN return_entry AS entry ON entry.item_id = item.id AND entry.status = 'booked'
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id AND withdrawal.status = 'returned'
      LEFT JOIN bill ON bill.id = item.bill_id AND bill.status = 'returned'
     CROSS JOIN LATERAL (SELECT coalesce(entry.moved_at, withdrawal.moved_at, bill.moved_at) AS at) AS came_back
     WHERE file.status IN ('sent', 'settled')
       AND came_back.at >= ${momentIn(timeZone, `${today.slice(0, 8)}01`, '0000')}
     ORDER BY file.number`.execute(reader);
  const sumOf = (some: typeof rows) => ({
    count: some.length,
    total: money(
      some.reduce((total, { minor }) => total + minor, 0n),
      currency,
    ),
    fileNumbers: [...new Set(some.map(({ number }) => fileNumber(number)))],
  });
  return {
    returnedThisMonth: sumOf(rows),
    returnedToday: sumOf(rows.filter(({ at }) => dayIn(timeZone, at) === today)),
  };
}

type Query = RouteArguments<'adminGetPayouts'>['query'];

function lotOf([first]: readonly Payable[]) {
  const { payees, effectiveOn } = invariant(first, 'a lot without payments');
  return { payees, effectiveOn };
}

/** Payments of a file with what is shown of each, in its order. */
export function selectEntries(reader: Reader, fileId: string) {
  return selectItemRequests(reader)
    .leftJoin('bankAccount as bank', 'bank.id', 'item.bankAccountId')
    .innerJoin('appUser as owner', (join) =>
      join.on(sql<boolean>`owner.id = coalesce(withdrawal.user_id, bill.user_id, bank.user_id)`),
    )
    .select(['item.batchNumber', 'item.traceNumber', 'item.amountMinor', 'item.payees'])
    .select(['item.id as itemId', 'item.isLive', 'file.status as fileStatus', 'file.format'])
    .select(['owner.id as ownerId', 'owner.name as ownerName', 'owner.employeeNumber'])
    .select('file.currency')
    .select([
      kindOfItem.as('kind'),
      sql<string>`coalesce(item.withdrawal_id, item.bill_id, item.bank_account_id)`.as('id'),
      sql<string>`coalesce(withdrawal.reference, bill.reference, ${PROOF_REFERENCE})`.as(
        'reference',
      ),
      sql<string | null>`coalesce(withdrawal.bank_name, bank.bank_name)`.as('bankName'),
      sql<string>`coalesce(withdrawal.bank_last4, bill.payee_last4, bank.last4)`.as('last4'),
      sql<string>`coalesce(withdrawal.status, bill.status, bank.status)`.as('status'),
      sql<string>`coalesce(bill.payee_name, owner.name)`.as('payTo'),
      sql<string>`to_char(item.effective_on, 'YYYY-MM-DD')`.as('effectiveOn'),
      sql<boolean>`EXISTS (SELECT FROM payout_reversal
                            WHERE item_id = item.id AND status NOT IN ('refused', 'cancelled'))`.as(
        'isReversed',
      ),
    ])
    .where('item.fileId', '=', fileId)
    .orderBy('item.traceNumber');
}

async function readEntries(
  reader: Reader,
  fileId: string,
  page: number,
): Promise<RouteReply<'adminGetPayoutFile'>['entries']> {
  const rows = await selectEntries(reader, fileId)
    .limit(PAYOUT_ENTRIES_SHOWN)
    .offset((page - 1) * PAYOUT_ENTRIES_SHOWN)
    .execute();
  return rows.map(({ amountMinor, currency, ...row }) => ({
    ...{ id: row.id, reference: row.reference, payTo: row.payTo, bankName: row.bankName },
    kind: row.kind,
    employee: { id: row.ownerId, name: row.ownerName, employeeId: row.employeeNumber },
    ...{ last4: row.last4, amount: money(amountMinor, currency), status: row.status },
    ...{ batchNumber: row.batchNumber, traceNumber: row.traceNumber, itemId: row.itemId },
    reversibleUntil: isReversible(row) ? reversalDay(row.effectiveOn) : null,
  }));
}

/** True for a payment that the bank can be asked to take back, as far as its day allows it. */
function isReversible(row: {
  isLive: boolean;
  isReversed: boolean;
  fileStatus: string;
  format: string;
  kind: PayoutKind;
}): boolean {
  const wasSent = row.fileStatus === 'sent' || row.fileStatus === 'settled';
  const isPayment = row.kind === 'withdrawal' || row.kind === 'bill';
  return wasSent && row.isLive && !row.isReversed && row.format === 'nacha' && isPayment;
}

function presentRow(
  row: FileRow,
): Omit<RouteReply<'adminGetPayouts'>['files'][number], 'cameBack'> {
  return {
    ...{ id: row.id, number: fileNumber(row.number), status: row.status },
    createdAt: row.createdAt.toISOString(),
    effectiveOn: [...new Set(row.batches.map(({ effectiveOn }) => effectiveOn))],
    itemCount: row.itemCount,
    total: money(row.totalMinor, row.currency),
    returned: {
      count: row.returned.count,
      total: money(BigInt(row.returned.total), row.currency),
    },
  };
}

/** Names of those who may download a file, where a duty separates that from making it. */
async function readReleasers(
  reader: Reader,
  { createdBy, totalMinor }: FileRow,
): Promise<string[]> {
  const settings = await readSettings(reader);
  const [separation] = payoutFile.acts.download.secondPerson;
  if (thresholdOf(settings, separation.rule) === null) return [];
  const duties = await readDuties(reader, settings);
  const step = { amountMinor: totalMinor, doneBy: [createdBy] };
  const refusal = refusalOf(duties, createdBy, separation, step);
  return (refusal?.people ?? []).flatMap(({ name, from }) => (from === null ? [name] : []));
}

type Checks = Awaited<ReturnType<typeof checkPayoutFile>>;

function present(
  row: FileRow & Pick<PayoutFile, 'acts' | 'waitsFor'> & { checks: Checks },
): PayoutFile {
  const { blockCount, entryHash, debitMinor, currency, createdAt, makerName } = row;
  const profile = row.profile as unknown as StoredProfile;
  const made = { status: 'prepared', at: createdAt.toISOString(), by: makerName };
  return {
    ...presentRow(row),
    ...{ format: row.format, fileName: fileNameOf(row), createdBy: makerName },
    ...{ bankName: profile.bankName, bankLast4: profile.accountNumber.slice(-4) },
    ...{ byteCount: row.byteCount, contentHash: row.contentHash },
    sameDayUntil: row.sameDayUntil?.toISOString() ?? null,
    waitsFor: row.waitsFor,
    checks: row.checks.map(({ check, note, failure }) => ({
      ...{ check, note },
      refusal: failure?.message ?? null,
    })),
    messageId: row.format === 'nacha' ? null : messageIdOf({ ...row, madeOn: row.madeDay }),
    control:
      blockCount === null || entryHash === null || debitMinor === null
        ? null
        : {
            blockCount,
            entryHash: String(entryHash).padStart(10, '0'),
            debit: money(debitMinor, currency),
          },
    batches: row.batches.map(({ total, ...batch }) => ({
      ...batch,
      total: money(BigInt(total), currency),
    })),
    ...{ leftBankOn: row.leftBankDay, bankReference: row.bankReference, unposted: row.unposted },
    history: stepsOf(payoutFile, { done: row.done, rejectionReason: null }, made),
    acts: row.acts,
  };
}
