import { sql } from 'kysely';
import { CHANGE_CODES, codeWords, marksAccount } from '#contract/ach-codes.ts';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { RouteReply } from '#contract/api.ts';
import { addBankingDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { CHANGE_BANKING_DAYS } from '#contract/returns.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant, InvariantError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { act } from '#server/modules/acts/index.ts';
import { fileNameOf } from '#server/modules/imports/index.ts';
import { failProof } from '#server/modules/bank-accounts/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { bills, reportPayeeChange } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { IsoFault } from '../iso-answers/answers.ts';
import { takeBackMicroDeposit } from '../micro-deposits.ts';
import { payoutReversals } from '../reversals/payout-reversal.ts';
import { judgeEntries } from './judge.ts';
import type { FoundItem, JudgedEntry } from './judge.ts';
import { lockReturned } from './lock-returned.ts';
import { findReturnFile, loadReturnFile } from './queries.ts';
import { isFault, placeOf, readReturnFile, readUpload } from './read-return-file.ts';
import type { ReturnFile, ReturnFileFault } from './read-return-file.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Check = RouteReply<'adminCheckReturns'>;
type Answer = ReturnCode | ChangeCode;

const MAX_FILE_NAME = 200;

/** Checks a returns file. Nothing is kept. @throws {AppError} `return_file_too_large` */
export async function checkReturns(db: Db, body: UploadBody): Promise<Check> {
  const upload = await readUpload(body);
  const { hash } = upload;
  const { currency } = await readSettings(db);
  const nothing = { count: 0, total: money(0n, currency) };
  const counts = { unknown: 0, proposed: 0, repeated: 0, listed: 0 };
  const base = { hash, bookedAs: await findReturnFile(db, hash) };
  try {
    const file = await readReturnFile(db, upload, currency);
    const judged = await judgeEntries(db, file);
    const booked = judged.filter(({ status }) => status === 'booked');
    const countOf = (status: keyof typeof counts) =>
      judged.filter((entry) => entry.status === status).length;
    return {
      ...{ ...base, refused: null, bankName: file.bankName, entryCount: judged.length },
      booked: { count: booked.length, total: money(sumMinor(booked), currency) },
      ...{ unknown: countOf('unknown'), proposed: countOf('proposed') },
      ...{ repeated: countOf('repeated'), listed: countOf('listed') },
    };
  } catch (error) {
    if (!isFault(error)) throw error;
    return {
      ...{ ...base, bankName: '', entryCount: 0, booked: nothing, ...counts },
      refused: refusedOf(error),
    };
  }
}

function refusedOf(fault: ReturnFileFault): NonNullable<Check['refused']> {
  if (fault instanceof IsoFault) {
    const { line, element } = fault.place;
    return { isXml: true, record: line, columns: null, element, why: fault.why, control: null };
  }
  const { record: number, columns, why, control } = fault;
  return {
    ...{ isXml: false, record: number, columns, element: null, why },
    control: control && {
      ...{ kind: control.kind, record: control.record },
      figures: control.figures.map(({ columns: at, ...one }) => ({ ...one, ...at })),
    },
  };
}

/**
 * Books a returns file, all of it or nothing: what agrees with a payment of ours is back in its wallet, and its owner is
 * notified. The file that was checked is the one that is booked. Its row is written first, so that two administrators who
 * book it concurrently book it once.
 *
 * @throws {AppError} `return_file_too_large`, `return_file_unreadable`, `conflict` for another file than was checked,
 *   `return_file_booked`, `own_request` and `second_person_needed` for one of its payments, `data_destroyed`
 */
export async function bookReturns(
  db: Db,
  services: Needs,
  by: CommandContext,
  { query, body }: { query: { fileName: string; hash: string }; body: UploadBody },
): Promise<RouteReply<'adminBookReturns'>> {
  const upload = await readUpload(body);
  const { hash } = upload;
  if (hash !== query.hash) throw new AppError('conflict');
  const { currency } = await readSettings(db);
  const file = await readReturnFile(db, upload, currency).catch((error: unknown) => {
    if (!isFault(error)) throw error;
    throw new AppError('return_file_unreadable', { place: placeOf(error), why: error.why });
  });
  if (file.entries.length === 0) {
    throw new AppError('return_file_unreadable', {
      ...{ place: 'The file', why: 'nothing in it came back' },
    });
  }
  const fileName = fileNameOf(query.fileName, 'returns').slice(0, MAX_FILE_NAME);
  return withTx(db, (tx) => bookFile(tx, services, by, { file, fileName, hash }));
}

async function bookFile(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { file, fileName, hash }: { file: ReturnFile; fileName: string; hash: string },
): Promise<RouteReply<'adminBookReturns'>> {
  const settings = await readSettings(tx);
  const at = services.clock.now();
  const id = newId(at.getTime());
  const totalMinor = sumMinor(file.entries.filter(({ answer }) => answer.kind === 'return'));
  const claimed = await tx
    .insertInto('returnFile')
    .values({
      ...{ id, fileName, contentHash: hash, bankName: file.bankName, madeOn: file.madeOn },
      ...{ entryCount: file.entries.length, totalMinor, currency: settings.currency },
      ...{ createdBy: by.actor.id, createdAt: at },
    })
    .onConflict((conflict) => conflict.column('contentHash').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (claimed === undefined) throw new AppError('return_file_booked');
  // A file with the same returns waits here, and then finds them booked.
  await lockReturned(
    tx,
    file.entries.map(({ originalTrace }) => originalTrace),
  );
  const judged = await judgeEntries(tx, file);
  for (const entry of judged) {
    await keepEntry(tx, services, by, { fileId: id, entry, settings, at });
  }
  record(tx, by, 'return_file.booked', {
    id,
    details: {
      ...{ file: fileName, contentHash: hash, entries: judged.length },
      amountMinor: String(totalMinor),
      booked: judged.filter(({ status }) => status === 'booked').length,
      unknown: judged.filter(({ status }) => status === 'unknown').length,
    },
  });
  return loadReturnFile(tx, id);
}

function sumMinor(entries: readonly { amountMinor: bigint }[]): bigint {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

interface KeptEntry {
  fileId: string;
  entry: JudgedEntry;
  settings: CompanySettings;
  at: Date;
}

async function keepEntry(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { fileId, entry, settings, at }: KeptEntry,
): Promise<void> {
  const id = newId(at.getTime());
  const { item, answer, status, details } = entry;
  const transactionId =
    status === 'booked' && item !== null
      ? await bookReturn(tx, services, by, { item, code: answer.code, entryId: id })
      : null;
  const change =
    status === 'proposed' && item?.bank && details && answer.kind === 'change'
      ? {
          detailsBefore: JSON.stringify(detailsOf(item.bank)),
          detailsAfter: JSON.stringify({
            ...detailsOf(item.bank),
            ...(details.accountNumber && { last4: details.accountNumber.slice(-4) }),
            ...(details.routingNumber && { routingNumber: details.routingNumber }),
            ...(details.accountType && { accountType: details.accountType }),
          }),
          correctedEncrypted: await services.vault.seal(
            tx,
            item.bank.userId,
            correctedPlace(id),
            answer.corrected,
          ),
          dueOn: addBankingDays(dayIn(settings.timeZone, at), CHANGE_BANKING_DAYS),
        }
      : {};
  if (entry.cause === 'reversal' && status === 'listed' && item?.reversalId) {
    await act(tx, services, by, payoutReversals, 'refuse', {
      ...{ id: item.reversalId, details: { code: answer.code, returnEntry: id } },
    });
  }
  if (status === 'listed' && item?.billId && answer.kind === 'change') {
    const what = CHANGE_CODES[answer.code];
    await reportPayeeChange(tx, by, { billId: item.billId, entryId: id, what, at });
  }
  await tx
    .insertInto('returnEntry')
    .values({
      ...{ id, fileId, recordNumber: entry.record, kind: answer.kind, code: answer.code },
      ...{ originalTrace: entry.originalTrace, bankTrace: entry.bankTrace },
      ...{ amountMinor: entry.amountMinor, status, cause: entry.cause, transactionId },
      receiver: status === 'unknown' ? entry.receiver : '',
      itemId: item?.itemId ?? null,
      ...change,
      ...{ movedAt: at, movedBy: by.actor.id },
    })
    .execute();
}

function detailsOf({ last4, routingNumber, accountType }: NonNullable<FoundItem['bank']>) {
  return { last4, routingNumber, accountType };
}

/** Place of the corrected data of a notification of change. */
export function correctedPlace(entryId: string) {
  return { table: 'return_entry', column: 'corrected_encrypted', rowId: entryId };
}

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
