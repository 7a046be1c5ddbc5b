import type { Payee } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';

/** Columns of the bill that the bank sent back from a payee, which is joined as `sentBack`. */
export const RETURN_COLUMNS = [
  'sentBack.reference as returnedReference',
  'sentBack.amountMinor as returnedMinor',
  'sentBack.currency as returnedCurrency',
  'sentBack.movedAt as returnedAt',
  'sentBack.rejectionReason as returnedReason',
] as const;

export interface ReturnRow {
  returnedReference: string | null;
  returnedMinor: bigint | null;
  returnedCurrency: Currency | null;
  returnedAt: Date | null;
  returnedReason: string | null;
}

/** The bill that the bank sent back; null for a payee without a mark. */
export function presentReturn(row: ReturnRow): Payee['returned'] {
  const { returnedReference: reference, returnedMinor: minor, returnedCurrency: currency } = row;
  const { returnedAt: at, returnedReason: reason } = row;
  if (!reference || minor === null || currency === null || at === null || reason === null) {
    return null;
  }
  return { reference, amount: money(minor, currency), at: at.toISOString(), reason };
}
