import type { PayoutFile, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { stepsOf, withItsActs, withUnwrittenActs } from '#server/modules/acts/index.ts';
import { readDuties, refusalOf, thresholdOf } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { fileNameOf, messageIdOf } from './content.ts';
import { readEntries, readRefused } from './entries.ts';
import { presentFileRow, selectFiles } from './file-rows.ts';
import type { FileRow } from './file-rows.ts';
import { payoutFiles } from './payout-file.ts';
import type { StoredProfile } from './profile.ts';
import { reversalsOf } from './reversals/queries.ts';

type Clocked = Pick<Services, 'clock'>;
type Checks = Awaited<ReturnType<typeof checkPayoutFile>>;

/**
 * A file with its checks.
 *
 * @param known the results of its checks, if they were made in this transaction
 * @throws {AppError} `payout_file_not_found`
 */
export async function loadPayoutFile(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
  known?: Checks,
): Promise<PayoutFile> {
  const row = await selectFiles(reader).where('payoutFile.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('payout_file_not_found');
  const written = withUnwrittenActs(reader, payoutFile, row);
  const shown = await withItsActs(reader, services, payoutFiles, { actor, as: 'admin' }, written);
  const isOpen = row.status === 'prepared' || row.status === 'downloaded';
  const checks = isOpen ? (known ?? (await checkPayoutFile(reader, services, { actor }, row))) : [];
  const waitsFor = row.status === 'prepared' ? await readReleasers(reader, row) : [];
  return present({ ...shown, checks, waitsFor });
}

/**
 * A file with a page of its entries.
 *
 * @param asked.number its number, or its id, by which notifications lead to it
 * @throws {AppError} `payout_file_not_found`
 */
export async function getPayoutFile(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  { number, page = 1 }: { number: string; page?: number },
): Promise<RouteReply<'adminGetPayoutFile'>> {
  const row = await reader
    .selectFrom('payoutFile')
    .select('id')
    .where((file) =>
      number.includes('-') ? file('id', '=', number) : file('number', '=', Number(number)),
    )
    .executeTakeFirst();
  if (row === undefined) throw new AppError('payout_file_not_found');
  const file = await loadPayoutFile(reader, services, by, row.id);
  return {
    ...file,
    entries: await readEntries(reader, row.id, { page, readerId: by.actor.id }),
    refused: file.unposted > 0 ? await readRefused(reader, row.id) : [],
    reversals: await reversalsOf(reader, services, by, row.id),
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

function present(
  row: FileRow & Pick<PayoutFile, 'acts' | 'waitsFor'> & { checks: Checks },
): PayoutFile {
  const { blockCount, entryHash, debitMinor, currency, createdAt, makerName } = row;
  const profile = row.profile as unknown as StoredProfile;
  const made = { status: 'prepared', at: createdAt.toISOString(), by: makerName };
  return {
    ...presentFileRow(row),
    format: row.format,
    fileName: fileNameOf(row),
    createdBy: makerName,
    bankName: profile.bankName,
    bankLast4: profile.accountNumber.slice(-4),
    byteCount: row.byteCount,
    contentHash: row.contentHash,
    sameDayUntil: row.sameDayUntil?.toISOString() ?? null,
    waitsFor: row.waitsFor,
    checks: row.checks.map(({ check, note, failure }) => ({
      check,
      note,
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
    leftBankOn: row.leftBankDay,
    bankReference: row.bankReference,
    unposted: row.unposted,
    history: stepsOf(payoutFile, { done: row.done, rejectionReason: null }, made),
    acts: row.acts,
  };
}
