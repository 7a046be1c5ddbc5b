import type { BankReversalReason, PayoutFormat } from '#contract/payouts.ts';
import type { BankAccountProof } from '#contract/bank-accounts.ts';
import type { RETURN_ENTRY_KINDS, ReturnCause, ReturnEntryStatus } from '#contract/returns.ts';
import type { ModelBill, ModelWithdrawal } from './things.ts';

export type ReturnEntryKind = (typeof RETURN_ENTRY_KINDS)[number];

/** An entry of a payout file by which a bank account is verified. */
export interface ModelProofItem {
  id: string;
  trace: string;
  /** Zero of a prenote. */
  minor: bigint;
  /** False once it came back, or its file was cancelled. */
  isLive: boolean;
  returnedAt?: Date;
}

/** A prenote or two micro-deposits to a bank account. */
export interface ModelProof {
  bankId: string;
  ownerId: string;
  /** Time at which the account was handed in that it is about. */
  asOf: Date;
  kind: Exclude<BankAccountProof, 'none'>;
  fileId: string;
  /** Day of its settlement. */
  effectiveOn: string;
  items: ModelProofItem[];
  /** Number of times that its owner entered amounts. */
  tries: number;
  isProved: boolean;
}

export interface ModelFile {
  id: string;
  /** Four digits or more: `0031`. */
  number: string;
  format: PayoutFormat;
  /** Id of its message in ISO 20022; null of a NACHA file. */
  messageId: string | null;
  madeBy: string;
  /** First day on which a payment of it arrives. From then on it cannot be given out. */
  arrivesOn: string;
  /** Moment until which the bank takes it, where it pays people on the same day. */
  sameDayUntil: Date | null;
  status: 'prepared' | 'downloaded' | 'sent' | 'settled' | 'cancelled';
  withdrawals: ModelWithdrawal[];
  bills: ModelBill[];
  proofs: ModelProof[];
  /** Null before it was sent. */
  sentAt: Date | null;
}

/** A payment of a payout file: the item is in no other file while it is live. */
export interface ModelPayment {
  fileId: string;
  itemId: string;
  trace: string;
  batchNumber: number;
  /** `WD-` and eight digits, or `BP-`. */
  reference: string;
  /** Day on which the company's bank pays it. */
  effectiveOn: string;
  request: ModelWithdrawal | ModelBill;
  isBill: boolean;
}

/** The order to the company's bank to take a payment back. */
export interface ModelReversal {
  id: string;
  payment: ModelPayment;
  madeBy: string;
  reason: BankReversalReason;
  status: 'prepared' | 'downloaded' | 'sent' | 'refused' | 'cancelled';
  /** Day on which the other bank has the debit. */
  effectiveOn: string;
  /** True once the account has other numbers than the file was made with. */
  differs: boolean;
}

/** An entry of a returns file that somebody decides on, or that was decided on. */
export interface ModelReturnEntry {
  id: string;
  kind: ReturnEntryKind;
  code: string;
  minor: bigint;
  status: ReturnEntryStatus;
  cause: ReturnCause | null;
  /** The payment that it is about, where Purser knows it. */
  payment: ModelPayment | null;
}
