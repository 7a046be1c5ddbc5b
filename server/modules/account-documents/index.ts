/**
 * Payslips, monthly statements and receipts, as people read and keep them. Each is made from the ledger
 * when it is asked for; nothing is stored, and nothing is written (docs/decisions/026).
 */
export { accountDocumentHandlers } from './routes.ts';
