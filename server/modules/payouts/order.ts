import { accountFormatOf } from '#contract/account-formats.ts';
import type { AccountNumbers } from '#contract/account-formats.ts';
import type { BankAccountType } from '#contract/bank-accounts.ts';
import type { PayeeGroup } from '#contract/payouts.ts';

/**
 * Payments that a company orders from its bank, in the terms that NACHA files and pain.001 share. No database, no
 * clock: what is written follows from the order alone, so that a file can be made again byte for byte.
 */

/** Account of a person or a business. */
export type PayeeAccount =
  | { kind: 'aba'; routingNumber: string; accountNumber: string; type: BankAccountType }
  | { kind: 'sort_code'; sortCode: string; accountNumber: string }
  | { kind: 'iban'; iban: string; bic: string | null };

/** An account as its numbers are kept. */
export function accountOf(
  { routingNumber, accountNumber }: AccountNumbers,
  type: BankAccountType,
): PayeeAccount {
  const kind = accountFormatOf({ routingNumber });
  if (kind === 'iban') return { kind, iban: accountNumber, bic: null };
  if (kind === 'sort_code') return { kind, sortCode: routingNumber, accountNumber };
  return { kind, routingNumber, accountNumber, type };
}

export interface OrderedPayment {
  /** Our reference, such as `WD-61803399`; the bank passes it on to the payee. */
  reference: string;
  /** Fifteen digits: the first eight of the company's bank or zeros, then a number that no other payment of ours has. */
  traceNumber: string;
  /** Minor units; zero of a prenote, and of nothing else. */
  amountMinor: bigint;
  /** Name as it is kept, in any script. */
  name: string;
  account: PayeeAccount;
  /** Words for the payee, such as the number of an invoice. */
  note: string | null;
  /** An entry without money by which the bank checks the account. */
  isPrenote?: boolean;
}

/** Payments of one effective date to one kind of payee. */
export interface OrderedBatch {
  /** Number of the batch in its file, from 1. */
  number: number;
  payees: PayeeGroup;
  /** Banking day on which the company's bank pays (docs/decisions/084): `2026-12-09`. */
  effectiveOn: string;
  /** True to take payments of an earlier file back: each as a debit, with the facts that it had. */
  isReversal?: boolean;
  /** Time of the same-day window, such as `SD1300`; null for the next banking day or later. */
  sameDay: string | null;
  /** Number and sum of the payments, which pain.001 writes before them. */
  count: number;
  totalMinor: bigint;
  payments: AsyncIterable<OrderedPayment> | Iterable<OrderedPayment>;
  /** Trace numbers of the debits of the company's account, where the bank's profile has them; as many as `offsets` has. */
  offsetTraces: readonly string[];
}

/** A payment that a format has no place for. Nothing of its file may be used. */
export class UnwritablePayment extends Error {
  readonly reference: string;
  readonly why: string;

  constructor(reference: string, why: string) {
    super(`${reference}: ${why}`);
    this.name = 'UnwritablePayment';
    this.reference = reference;
    this.why = why;
  }
}
