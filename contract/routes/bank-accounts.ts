import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import {
  ACCOUNT_TYPE_MISSING,
  BANK_ACCOUNT_TYPES,
  bankAccountRules,
  NAME_MATCHES,
} from '../bank-accounts.ts';
import { bankAccountList } from '../lists.ts';
import { BANK_ACCOUNT_STATUSES } from '../statuses.ts';
import { bankAccount as bankAccountThing } from '../things/bank-account.ts';
import { actsOf, done, payoutContext, person, railStep } from './common.ts';
import { accountNumbers, amount, id, idParams, instant, money, textOf } from './values.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

export const bankAccount = namedObject('BankAccount', {
  id,
  bankName: z.string(),
  accountType: z.enum(BANK_ACCOUNT_TYPES),
  accountNumberLast4: z.string(),
  /** A sort code of six digits in a company in GBP; empty next to an IBAN. */
  routingNumber: z.string(),
  accountHolderName: z.string(),
  status: namedEnum('BankAccountStatus', BANK_ACCOUNT_STATUSES),
  rejectionReason: z.string().nullable(),
  /** The payout that the bank sent back from it; null once the account was decided on again. */
  returned: namedObject('ReturnedPayout', {
    reference: z.string(),
    amount: money,
    at: instant,
    reason: z.string(),
  }).nullable(),
  isPrimary: z.boolean(),
  /** True while a withdrawal that is not settled pays to it: no edit, no removal. */
  isInUse: z.boolean(),
  /** Time from which money can leave for it; may be over. Null in a company without cooling-off. */
  payableFrom: instant.nullable(),
  /** Its prenote, while the account waits and the company asks for one; null otherwise. */
  prenote: namedObject('Prenote', {
    /** The payout file that it is in; null before. */
    fileNumber: z.string().nullable(),
    isSent: z.boolean(),
    /** Time from which an administrator can verify the account, if the prenote does not come back; null until it is sent. */
    verifiableFrom: instant.nullable(),
  }).nullable(),
  /** Its micro-deposits, while the account waits and the company asks for them; null otherwise. Never their amounts. */
  microDeposits: namedObject('MicroDeposits', {
    /** The payout file that they are in; null before. */
    fileNumber: z.string().nullable(),
    /** Time from which their amounts can be entered, and the time at which that ends; null until they are sent. */
    opensAt: instant.nullable(),
    closesAt: instant.nullable(),
    /** Each is less than this. */
    under: money,
    triesUsed: z.number().int(),
    triesLeft: z.number().int(),
    /** True once the owner entered both amounts: an administrator can verify the account. */
    isProved: z.boolean(),
  }).nullable(),
  /** True while the account is as it was first entered. */
  isNew: z.boolean(),
  addedAt: instant,
  history: z.array(railStep),
  acts: actsOf(bankAccountThing, 'BankAccountAct'),
});

const newBankAccount = namedObject('NewBankAccount', {
  bankName: textOf(bankAccountRules.bankName),
  accountType: named(
    'BankAccountType',
    z.enum(BANK_ACCOUNT_TYPES, { error: ACCOUNT_TYPE_MISSING }),
  ),
  ...accountNumbers,
  accountHolderName: textOf(bankAccountRules.accountHolderName),
});

/** Facts for an admin before verifying; nothing follows from them by themselves. */
const bankAccountCheck = namedObject('BankAccountCheck', {
  /** Comparison of the account holder's name with `ownerName`. */
  nameMatch: namedEnum('NameMatch', NAME_MATCHES),
  /** The name of the approved identity application; where there is none, the one the person is added by. */
  ownerName: z.string(),
  isNameVerified: z.boolean(),
  /** Other people who have or had the same account, at most five. */
  alsoOf: z.array(person),
});

export const adminBankAccount = named(
  'AdminBankAccount',
  bankAccount.extend({
    employee: person,
    /** Null once it is decided. */
    check: bankAccountCheck.nullable(),
    /** True if it waits to be verified and the asking admin may do that. False for an API key, which verifies nothing. */
    mayVerify: z.boolean(),
  }),
);

export const bankAccountRoutes = {
  listBankAccounts: defineRoute('GET /api/bank-accounts', {
    summary: 'My bank accounts',
    access: 'employee',
    topics: ['bank-accounts', 'withdrawals'],
    reply: z.object({ items: z.array(bankAccount) }),
  }),
  addBankAccount: defineRoute('POST /api/bank-accounts', {
    summary: 'Add a bank account; it waits for verification',
    access: 'employee',
    confirms: 'recent',
    hourly: 'bankAccounts',
    changes: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
    body: newBankAccount,
    reply: bankAccount,
    status: 201,
    errors: ['bank_account_exists'],
  }),
  updateBankAccount: defineRoute('PUT /api/bank-accounts/{id}', {
    summary: 'Change a bank account; it has to be verified again',
    access: 'employee',
    confirms: 'recent',
    hourly: 'bankAccounts',
    changes: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
    params: idParams,
    /** Without a new account number the old one stays. */
    body: newBankAccount.extend({ accountNumber: newBankAccount.shape.accountNumber.optional() }),
    reply: bankAccount,
    errors: ['bank_account_not_found', 'bank_account_in_use', 'bank_account_exists'],
  }),
  removeBankAccount: defineRoute('DELETE /api/bank-accounts/{id}', {
    summary: 'Remove a bank account',
    access: 'employee',
    confirms: 'recent',
    changes: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
    params: idParams,
    reply: done,
    errors: ['bank_account_not_found', 'bank_account_in_use'],
  }),
  enterMicroDeposits: defineRoute('POST /api/bank-accounts/{id}/micro-deposits', {
    summary: 'Enter the amounts of both micro-deposits to a bank account; wrong ones use up a try',
    access: 'employee',
    idempotency: 'required',
    hourly: 'microDeposits',
    changes: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
    params: idParams,
    /** In either order. */
    body: z.object({ first: amount, second: amount }),
    reply: z.object({ isRight: z.boolean(), account: bankAccount }),
    errors: ['bank_account_not_found', 'bank_account_not_pending', 'micro_deposits_closed'],
  }),
  revealBankAccount: defineRoute('POST /api/bank-accounts/{id}/reveal', {
    summary: 'The whole number of one of my bank accounts (audited)',
    access: 'employee',
    confirms: 'recent',
    hourly: 'accountNumbers',
    changes: {},
    params: idParams,
    reply: z.object({ accountNumber: z.string() }),
    errors: ['bank_account_not_found'],
  }),
  lookUpRoutingNumber: defineRoute('GET /api/routing-numbers/{routingNumber}', {
    summary: "Whether a routing number's check digit is right, and its bank if known",
    access: 'signedIn',
    topics: [],
    params: z.object({ routingNumber: z.string().max(20) }),
    reply: z.object({ isValid: z.boolean(), bankName: z.string().nullable() }),
  }),
  ...listRoutes('/api/admin/bank-accounts', bankAccountList, adminBankAccount, {
    names: { status: 'BankAccountStatusFilter' },
    summary: 'Bank accounts of all employees; those that wait come first, oldest first',
    access: 'admin',
    late: 'export',
    topics: ['bank-accounts'],
    rowTopics: ['people', 'settings'],
  }),
  adminGetBankAccount: defineRoute('GET /api/admin/bank-accounts/{id}', {
    summary: 'One bank account, with what its owner has and what was changed recently',
    access: 'admin',
    topics: ['bank-accounts', 'people', 'settings'],
    params: idParams,
    reply: adminBankAccount.extend({ context: payoutContext }),
    errors: ['bank_account_not_found'],
  }),
  adminEnterBankAccount: defineRoute('POST /api/admin/people/{id}/bank-accounts', {
    summary: 'Enter a bank account for a person who left; another administrator has to verify it',
    access: 'admin',
    confirms: 'recent',
    hourly: 'bankAccounts',
    changes: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
    params: idParams,
    body: newBankAccount,
    reply: adminBankAccount,
    status: 201,
    errors: ['person_not_found', 'person_still_here', 'person_erased', 'bank_account_exists'],
  }),
  adminRevealBankAccount: defineRoute('POST /api/admin/bank-accounts/{id}/reveal', {
    summary: 'The whole account number, to check it (audited; its owner sees it)',
    access: 'admin',
    confirms: 'recent',
    hourly: 'accountNumbers',
    changes: {},
    params: idParams,
    reply: z.object({ accountNumber: z.string() }),
    errors: ['bank_account_not_found', 'data_destroyed'],
  }),
  ...actRoutes(bankAccountThing, { admin: adminBankAccount }),
};
