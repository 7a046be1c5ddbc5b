import { actsOf } from '#server/modules/acts/index.ts';
import { bankAccounts } from './bank-account.ts';
import { loadAdminBankAccount } from './queries.ts';

/** The acts of a bank account that somebody does without a form. */
export const bankAccountActs = actsOf(bankAccounts, {
  admin: loadAdminBankAccount,
  // It is removed from their list.
  owner: () => Promise.resolve({ ok: true }),
});
