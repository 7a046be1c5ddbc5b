/** The words of `AddBankAccount` where an account is added to the person's bank accounts. */
export const BANK_ACCOUNT_ADDED = {
  title: 'Add Bank Account',
  done: { title: 'Bank Account Added', waits: 'is pending verification.' },
};
