import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { BANK_ACCOUNT_TYPES } from '../bank-accounts.ts';
import { PAYEE_KINDS } from '../bills.ts';
import { paymentRules } from '../payments.ts';
import { done } from './common.ts';
import { amount, email, id, idParams, instant, money, optionalTextOf } from './values.ts';
import { defineRoute } from './define.ts';

/** Why nobody can be paid from this person's wallets now. */
export const payerErrors = [
  'payer_not_accepted',
  'identity_not_approved',
  'own_payouts_frozen',
  'payment_cooling_off',
  'payments_stopped',
] as const;

/** A payment to a colleague, as its payer sees it. */
export const personPayment = z.object({
  id,
  /** The ledger's: `TXN-` and eight digits. */
  reference: z.string(),
  amount: money,
  walletName: z.string(),
  recipient: namedObject('NamedPerson', { id, name: z.string() }),
  note: z.string(),
  paidAt: instant,
  /** Amount left in the wallet that it came from. */
  available: money,
  /** Its receipt. */
  documentId: z.string(),
});

/** Money that a person moved between two of their accounts. */
export const walletMove = z.object({
  id,
  /** The ledger's: `TXN-` and eight digits. */
  reference: z.string(),
  amount: money,
  fromName: z.string(),
  toName: z.string(),
  movedAt: instant,
  /** Balance left in the account that it came from. */
  available: money,
  /** The receipt of the account that it came from. */
  documentId: z.string(),
});

/** A bill that the bank sent back from a payee; null once its owner has confirmed the payee. */
export const payeeReturn = z
  .object({ reference: z.string(), amount: money, at: instant, reason: z.string() })
  .nullable();

/** A payee that a person saved to pay again: a colleague, or somebody outside with an account. */
export const payee = namedObject('Payee', {
  id,
  kind: namedEnum('PayeeKind', ['colleague', ...PAYEE_KINDS]),
  name: z.string(),
  /** Address of a colleague. */
  email: z.string().nullable(),
  /** Bank details of anybody else. */
  account: z
    .object({
      type: z.enum(BANK_ACCOUNT_TYPES),
      last4: z.string(),
      routingNumber: z.string(),
      /** The person's customer number with the payee; may be empty. */
      customerNumber: z.string(),
    })
    .nullable(),
  lastPaid: z.object({ at: instant, amount: money }).nullable(),
  returned: payeeReturn,
});

export const paymentRoutes = {
  findRecipient: defineRoute('POST /api/payments/recipient', {
    summary:
      'The colleague who has exactly this e-mail address, if they can be paid; limited per hour',
    access: 'employee',
    body: z.object({ email }),
    reply: z.object({ id, name: z.string(), email: z.string() }),
    errors: ['recipient_not_found', 'own_payment', 'too_many_requests', ...payerErrors],
  }),
  payPerson: defineRoute('POST /api/payments/people', {
    summary: 'Pay a colleague from one of my accounts; it arrives immediately and cannot be undone',
    access: 'employee',
    confirms: 'recent',
    idempotency: 'required',
    changes: { owner: ['payments', 'wallets'], admins: ['wallets'] },
    body: z.object({
      walletId: id,
      /** As `findRecipient` answered. */
      recipientId: id,
      amount,
      note: optionalTextOf(paymentRules.note).default(''),
      savePayee: z.boolean().default(false),
    }),
    reply: personPayment,
    status: 201,
    errors: [
      'wallet_not_found',
      'recipient_not_found',
      'own_payment',
      'amount_invalid',
      'payment_limit',
      'payment_daily_limit',
      'insufficient_funds',
      'new_browser_limit',
      'payee_limit',
      ...payerErrors,
    ],
  }),
  moveMoney: defineRoute('POST /api/wallets/moves', {
    summary: 'Move money between two of my accounts, immediately',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['wallets'], admins: ['wallets'] },
    body: z.object({ fromWalletId: id, toWalletId: id, amount }),
    reply: walletMove,
    status: 201,
    errors: [
      'amount_invalid',
      'same_wallet',
      'wallet_not_found',
      'insufficient_funds',
      'payments_stopped',
    ],
  }),
  listPayees: defineRoute('GET /api/payees', {
    summary: 'Whom I saved to be paid again, by name; and whether I can pay anyone now',
    access: 'employee',
    topics: ['payments', 'settings', 'kyc'],
    reply: z.object({
      items: z.array(payee),
      /** Why nothing can be paid now. */
      cannotPay: z.object({ code: z.enum(payerErrors), message: z.string() }).nullable(),
      /** Why nobody else can be saved now. */
      cannotSave: z.string().nullable(),
    }),
  }),
  removePayee: defineRoute('DELETE /api/payees/{id}', {
    summary: 'Remove one whom I saved; payments that were made stay',
    access: 'employee',
    changes: { owner: ['payments'] },
    params: idParams,
    reply: done,
    errors: ['payee_not_found'],
  }),
};
