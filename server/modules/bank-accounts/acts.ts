import { actsOf } from '#server/modules/acts/index.ts';
import { bankAccounts } from './bank-account.ts';
import { loadAdminBankAccount } from './queries.ts';

const acts = actsOf(bankAccounts, {
  admin: loadAdminBankAccount,
  // It is removed from their list.
  owner: () => Promise.resolve({ ok: true }),
});

/** The acts of a bank account that somebody does without a form. */
export const decideBankAccounts = acts.handlers;
export const verifyBankAccount = acts.commandOf('verify');
export const rejectBankAccount = acts.commandOf('reject');
export const removeBankAccount = acts.commandOf('remove');
