/**
 * Payslips, monthly statements and receipts. Each is made from the ledger on request; nothing is
 * stored or written (docs/decisions/026).
 */
export { accountDocumentHandlers } from './routes.ts';
