import { CHANGE_CODES } from '#contract/ach-codes.ts';
import { addBankingDays } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { CHANGE_BANKING_DAYS } from '#contract/returns.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { act } from '#server/modules/acts/index.ts';
import { reportPayeeChange } from '#server/modules/payments/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_PAYMENTS } from '../chunks.ts';
import { payoutReversals } from '../reversals/payout-reversal.ts';
import type { FoundItem, JudgedEntry } from './judge.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Kept = JudgedEntry & { id: string };

interface KeptFile {
  fileId: string;
  judged: readonly JudgedEntry[];
  settings: CompanySettings;
  at: Date;
}

/** Writes the entries of a file with what becomes of them. Those that are booked wait for it. */
export async function keepEntries(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { fileId, judged, settings, at }: KeptFile,
): Promise<Kept[]> {
  const entries = judged.map((entry) => ({ ...entry, id: newId(at.getTime()) }));
  const changes = await sealChanges(tx, services, entries);
  const { timeZone, currency } = settings;
  const dueOn = addBankingDays(dayIn(timeZone, at), CHANGE_BANKING_DAYS, currency);
  const none = { detailsBefore: null, detailsAfter: null, correctedEncrypted: null, dueOn: null };
  const rows = entries.map(({ id, record, answer, status, cause, item, ...entry }) => ({
    id,
    fileId,
    recordNumber: record,
    kind: answer.kind,
    code: answer.code,
    originalTrace: entry.originalTrace,
    bankTrace: entry.bankTrace,
    amountMinor: entry.amountMinor,
    cause,
    itemId: item?.itemId ?? null,
    status: status === 'booked' ? ('waiting' as const) : status,
    receiver: status === 'unknown' ? entry.receiver : '',
    ...(changes.has(id) ? { ...changes.get(id), dueOn } : none),
    movedAt: at,
    movedBy: by.actor.id,
  }));
  for (let from = 0; from < rows.length; from += CHUNK_PAYMENTS) {
    const some = rows.slice(from, from + CHUNK_PAYMENTS);
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await tx.insertInto('returnEntry').values(some).execute();
  }
  return entries;
}

/** Does what entries that book nothing are about: a reversal was refused, a payee's bank asks for other details. */
export async function followListed(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { entries, at }: { entries: readonly Kept[]; at: Date },
): Promise<void> {
  for (const { id, status, cause, item, answer } of entries) {
    if (status !== 'listed' || item === null) continue;
    if (cause === 'reversal' && item.reversalId !== null) {
      const details = { code: answer.code, returnEntry: id };
      await act(tx, services, by, payoutReversals, 'refuse', { id: item.reversalId, details });
    }
    if (item.billId !== null && answer.kind === 'change') {
      const what = CHANGE_CODES[answer.code];
      await reportPayeeChange(tx, by, { billId: item.billId, entryId: id, what, at });
    }
  }
}

/** Place of the corrected data of a notification of change. */
export function correctedPlace(entryId: string) {
  return { table: 'return_entry', column: 'corrected_encrypted', rowId: entryId };
}

/** Columns of the changes that are proposed, by the ids of their entries. */
async function sealChanges(tx: Tx, services: Needs, entries: readonly Kept[]) {
  const proposed = entries.flatMap(({ id, status, item, details, answer }) =>
    status === 'proposed' && item?.bank && details && answer.kind === 'change'
      ? [{ id, bank: item.bank, details, corrected: answer.corrected }]
      : [],
  );
  const sealed = await services.vault.sealAll(
    tx,
    proposed.map(({ id, bank, corrected }) => ({
      userId: bank.userId,
      place: correctedPlace(id),
      plain: corrected,
    })),
  );
  return new Map(
    proposed.map(({ id, bank, details }, at) => [
      id,
      {
        detailsBefore: JSON.stringify(detailsOf(bank)),
        detailsAfter: JSON.stringify({
          ...detailsOf(bank),
          ...(details.accountNumber && { last4: details.accountNumber.slice(-4) }),
          ...(details.routingNumber && { routingNumber: details.routingNumber }),
          ...(details.accountType && { accountType: details.accountType }),
        }),
        correctedEncrypted: invariant(sealed[at], 'sealed data for each change'),
      },
    ]),
  );
}

function detailsOf({ last4, routingNumber, accountType }: NonNullable<FoundItem['bank']>) {
  return { last4, routingNumber, accountType };
}
