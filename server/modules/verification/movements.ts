import { instructionsHash } from '#server/modules/deposits/index.ts';
import type { Fault } from './check.ts';
import type { Facts } from './records.ts';
import type { Touched } from './scope.ts';

/** A row that moves money of people by one posting. All SQL about it is about a row `thing`. */
export interface Movement {
  /** Begin of the names of its checks: `payment` of `payment-posting`. */
  readonly name: string;
  readonly table: 'withdrawal' | 'deposit' | 'bill' | 'person_payment' | 'wallet_move';
  readonly scope: keyof Touched;
  /** Kind of its posting. */
  readonly kind: string;
  /** Statuses in which it is posted; left out where it always is. */
  readonly postedIn?: readonly string[];
  /** Statuses in which its amount is held; left out where it never is. */
  readonly heldIn?: readonly string[];
  /** Reference of its posting, and the person who posted it. */
  readonly reference: string;
  readonly poster: string;
  /** Each wallet with its owner, and 1 if the amount comes in there or -1 if it leaves. */
  readonly wallets: readonly { wallet: string; owner: string; sign: 1 | -1 }[];
  /** Event of the record of its request, and the facts in there. */
  readonly event: string;
  readonly facts: Facts;
  /** Event of the record with the day on which it left the bank. */
  readonly leftBank?: string;
  readonly more?: {
    /** SQL of what its posting is joined with. */
    readonly postingFrom?: string;
    readonly postingFaults?: readonly Fault[];
    readonly walletFaults?: readonly Fault[];
  };
}

const REFERENCE = 'thing.reference';

export const WITHDRAWAL: Movement = {
  name: 'withdrawal',
  table: 'withdrawal',
  scope: 'withdrawals',
  kind: 'withdrawal',
  postedIn: ['completed', 'returned'],
  heldIn: ['pending', 'approved', 'processing'],
  reference: 'thing.transaction_reference',
  poster: 'thing.completed_by',
  wallets: [{ wallet: 'thing.wallet_id', owner: 'thing.user_id', sign: -1 }],
  event: 'withdrawal.requested',
  facts: {
    reference: REFERENCE,
    amountMinor: 'thing.amount_minor',
    currency: 'thing.currency',
    walletId: 'thing.wallet_id',
    holdId: 'thing.hold_id',
    bankAccountId: 'thing.bank_account_id',
    last4: 'thing.bank_last4',
    urgency: 'thing.urgency',
  },
  leftBank: 'withdrawal.completed',
};

export const BILL: Movement = {
  name: 'bill',
  table: 'bill',
  scope: 'bills',
  kind: 'bill',
  postedIn: ['paid', 'returned'],
  heldIn: ['scheduled', 'due', 'sent'],
  reference: 'thing.transaction_reference',
  poster: 'thing.paid_by',
  wallets: [{ wallet: 'thing.wallet_id', owner: 'thing.user_id', sign: -1 }],
  event: 'bill.scheduled',
  facts: {
    reference: REFERENCE,
    amountMinor: 'thing.amount_minor',
    currency: 'thing.currency',
    walletId: 'thing.wallet_id',
    holdId: 'thing.hold_id',
    payeeId: 'thing.payee_id',
    payOn: `to_char(thing.pay_on, 'YYYY-MM-DD')`,
  },
  leftBank: 'bill.paid',
};

export const DEPOSIT: Movement = {
  name: 'deposit',
  table: 'deposit',
  scope: 'deposits',
  kind: 'deposit',
  postedIn: ['approved'],
  reference: REFERENCE,
  poster: 'thing.processed_by',
  wallets: [{ wallet: 'thing.wallet_id', owner: 'thing.user_id', sign: 1 }],
  event: 'deposit.requested',
  facts: {
    reference: REFERENCE,
    method: 'thing.method',
    amountMinor: 'thing.amount_minor',
    feeMinor: 'thing.fee_minor',
    currency: 'thing.currency',
    walletId: 'thing.wallet_id',
    limitDay: `to_char(thing.limit_day, 'YYYY-MM-DD')`,
    instructionsHash: instructionsHash('thing'),
  },
  more: {
    postingFrom: `
      LEFT JOIN ledger_account AS clearing
        ON clearing.code = 'deposit_clearing:' || thing.method AND clearing.currency = thing.currency
      LEFT JOIN ledger_entry AS counter
        ON counter.transaction_id = posting.id AND counter.account_id = clearing.id`,
    postingFaults: [
      [
        'counter.amount IS NULL',
        'does not come from the method of its deposit, %s',
        'thing.method',
      ],
    ],
  },
};

const PAYMENT: Movement = {
  name: 'payment',
  table: 'person_payment',
  scope: 'personPayments',
  kind: 'transfer',
  reference: REFERENCE,
  poster: 'thing.payer_id',
  wallets: [
    { wallet: 'thing.payer_wallet_id', owner: 'thing.payer_id', sign: -1 },
    { wallet: 'thing.recipient_wallet_id', owner: 'thing.recipient_id', sign: 1 },
  ],
  event: 'person_payment.made',
  facts: {
    reference: REFERENCE,
    amountMinor: 'thing.amount_minor',
    currency: 'thing.currency',
    limitDay: `to_char(thing.limit_day, 'YYYY-MM-DD')`,
    payerWalletId: 'thing.payer_wallet_id',
    recipientId: 'thing.recipient_id',
    recipientWalletId: 'thing.recipient_wallet_id',
  },
  more: {
    walletFaults: [
      [`wallet1.type <> 'salary'`, 'goes to the account %s of the recipient', 'wallet1.type'],
    ],
  },
};

const MOVE: Movement = {
  name: 'move',
  table: 'wallet_move',
  scope: 'walletMoves',
  kind: 'move',
  reference: REFERENCE,
  poster: 'thing.user_id',
  wallets: [
    { wallet: 'thing.from_wallet_id', owner: 'thing.user_id', sign: -1 },
    { wallet: 'thing.to_wallet_id', owner: 'thing.user_id', sign: 1 },
  ],
  event: 'wallet_move.made',
  facts: {
    reference: REFERENCE,
    amountMinor: 'thing.amount_minor',
    currency: 'thing.currency',
    fromWalletId: 'thing.from_wallet_id',
    toWalletId: 'thing.to_wallet_id',
  },
};

export const MOVEMENTS: readonly Movement[] = [WITHDRAWAL, BILL, DEPOSIT, PAYMENT, MOVE];
