import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { PAYOUT_ENTRIES_SHOWN, REFUSED_SHOWN, reversalDay } from '#contract/payouts.ts';
import type { PayoutKind } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { kindOfItem, PROOF_REFERENCE, selectItemRequests } from './items.ts';

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

/** SQL that is true while the account of a withdrawal has the numbers that its payment went to; true for a bill. */
export const isSameAccount = sql<boolean>`coalesce((
  SELECT account.submitted_at <= withdrawal.requested_at FROM bank_account AS account
   WHERE account.id = withdrawal.bank_account_id), true)`;

/** Refusal to take a payment back by anybody, or by one of the people who could; null if there is none. */
export function refusalToReverse(
  payment: { ownerId: string; isSameAccount: boolean },
  actorId: string,
): AppError | null {
  if (payment.ownerId === actorId) return new AppError('own_request');
  if (payment.isSameAccount) return null;
  const why = 'The bank account was changed since. Ask your bank.';
  return new AppError('payout_not_reversible', { why });
}

/** A page of the payments of a file, as an administrator reads it. */
export async function readEntries(
  reader: Reader,
  fileId: string,
  { page, readerId }: { page: number; readerId: string },
): Promise<RouteReply<'adminGetPayoutFile'>['entries']> {
  const rows = await selectEntries(reader, fileId)
    .select(isSameAccount.as('isSameAccount'))
    .limit(PAYOUT_ENTRIES_SHOWN)
    .offset((page - 1) * PAYOUT_ENTRIES_SHOWN)
    .execute();
  return rows.map((row) => presentEntry(row, refusalToReverse(row, readerId)));
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number];

function presentEntry(
  { amountMinor, currency, ...row }: EntryRow,
  refusal: AppError | null,
): RouteReply<'adminGetPayoutFile'>['entries'][number] {
  return {
    id: row.id,
    reference: row.reference,
    payTo: row.payTo,
    bankName: row.bankName,
    kind: row.kind,
    employee: { id: row.ownerId, name: row.ownerName, employeeId: row.employeeNumber },
    last4: row.last4,
    amount: money(amountMinor, currency),
    status: row.status,
    batchNumber: row.batchNumber,
    traceNumber: row.traceNumber,
    itemId: row.itemId,
    reversibleUntil: isReversible(row) ? reversalDay(row.effectiveOn) : null,
    reversalRefusal: refusal?.message ?? null,
  };
}

/** The first payments of a file that the ledger refused, each with the reason and the time of the last try. */
export async function readRefused(
  reader: Reader,
  fileId: string,
): Promise<RouteReply<'adminGetPayoutFile'>['refused']> {
  const rows = await selectEntries(reader, fileId)
    .select(['item.refusedWhy', 'item.refusedAt'])
    .where('item.isLive', '=', true)
    .where('item.refusedWhy', 'is not', null)
    .limit(REFUSED_SHOWN)
    .execute();
  return rows.map(({ refusedWhy, refusedAt, ...row }) => ({
    // None of them was posted, so there is nothing to take back.
    ...presentEntry(row, null),
    why: refusedWhy ?? '',
    triedAt: invariant(refusedAt, 'a refused payment was tried').toISOString(),
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
