import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';

/** An entry of a returns file. */
export interface FileEntry {
  /** Record of a NACHA file, or number of the payment among those of an ISO 20022 message that came back. */
  record: number;
  /**
   * Trace number of the payment that it is about, and the bank's own reference. Of an ISO 20022 message whose payment is
   * not known, the reference that it has for it.
   */
  originalTrace: string;
  bankTrace: string;
  amountMinor: bigint;
  receiver: string;
  /** Our reference, as the payment had it; empty where the bank left it out. */
  identification: string;
  /** Null where the format has none. */
  companyId: string | null;
  /** True for the transaction code of a returned credit: its second digit is 1 (Appendix Three). */
  isReturnedCredit: boolean;
  answer:
    | { kind: 'return' | 'dishonored' | 'contested'; code: ReturnCode }
    | { kind: 'change'; code: ChangeCode; corrected: string };
}

export interface ReturnFile {
  bankName: string;
  /** `2026-12-08` */
  madeOn: string;
  entries: FileEntry[];
}
