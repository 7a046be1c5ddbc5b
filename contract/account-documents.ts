/**
 * Payslips, monthly statements and receipts. None of them is stored: each is made from the ledger when
 * it is asked for (docs/decisions/026). This file has what the browser and the server both know of them.
 */
import { WALLET_TYPES } from './wallets.ts';
import type { WalletType } from './wallets.ts';

export const ACCOUNT_DOCUMENT_KINDS = ['payslip', 'statement', 'receipt'] as const;

/** Rows of a table that the screen shows; the PDF has all of them. */
export const DOCUMENT_SCREEN_ROWS = 1_000;
/** Entries that a statement may have. A month with more is exported as CSV. */
export const STATEMENT_MAX_ENTRIES = 10_000;
/** Documents that the archive of one year may have. Each takes a moment to draw. */
export const ARCHIVE_MAX_DOCUMENTS = 1_000;
/** Payslips of a payroll that one archive has. A larger payroll has several. */
export const PAYSLIPS_IN_ARCHIVE = 10_000;
/** Payslips of one year that are listed, the newest. */
export const PAYSLIPS_SHOWN = 500;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const WALLET = WALLET_TYPES.join('|');

/** The form of a document's id: {@link payslipId}, {@link statementId}, {@link receiptId}. */
export const ACCOUNT_DOCUMENT_ID = new RegExp(
  `^(?:payslip\\.${UUID}|statement\\.(?:${WALLET})\\.[1-9]\\d{3}-(?:0[1-9]|1[0-2])|receipt\\.${UUID}\\.(?:${WALLET}))$`,
);

/** `payslip.<id of the payroll line>` */
export function payslipId(lineId: string): string {
  return `payslip.${lineId}`;
}

/** `statement.salary.2026-11`, of a whole month: `2026-11` */
export function statementId(wallet: WalletType, month: string): string {
  return `statement.${wallet}.${month}`;
}

/** `receipt.<id>.salary`, of an event of the history: `<id of the transaction>.salary` */
export function receiptId(eventId: string): string {
  return `receipt.${eventId}`;
}
