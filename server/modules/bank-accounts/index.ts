export { addBankAccount } from './add-bank-account.ts';
export type { NewBankAccount } from './add-bank-account.ts';
export { bankLabel } from './present.ts';
export { rejectBankAccount } from './reject-bank-account.ts';
export { bankAccountHandlers } from './routes.ts';
export { claimUse, releaseUse } from './use.ts';
export { verifyBankAccount } from './verify-bank-account.ts';
