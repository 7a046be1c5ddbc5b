import { instructionsHash } from '#server/modules/deposits/index.ts';
import type { Fault } from './check.ts';
import { columns, isoDay } from './records.ts';
import type { Facts } from './records.ts';
import type { ScopeName } from './scope.ts';

/** A row that moves money of people by one posting. All SQL about it is about a row `thing`. */
export interface Movement {
  /** Begin of the names of its checks: `payment` of `payment-posting`. */
  readonly name: string;
  readonly table: string;
  /** Scope with its column; that of the table by its ids if left out. */
  readonly scope?: readonly [name: ScopeName, column: string];
  /** SQL that it is joined with. */
  readonly joinedWith?: string;
  /** Kinds of its postings, and SQL of the kind that the posting of a row has where there are two. */
  readonly kinds: readonly [string, ...string[]];
  readonly kind?: string;
  /** Statuses in which it is posted; left out where it always is. */
  readonly postedIn?: readonly string[];
  /** Statuses in which its amount is held; left out where it never is. */
  readonly heldIn?: readonly string[];
  /** SQL that is true in one of these while it is on its way in a payout file, and so is posted. */
  readonly inTransit?: string;
  /** Reference of its posting, and the person who posted it; `done` is the record of `paidOut`. */
  readonly reference: string;
  readonly poster: string;
  /** Each wallet with its owner, and the sign of the amount that comes in there. */
  readonly wallets: readonly (readonly [wallet: string, owner: string, sign: '+' | '-'])[];
  /** More faults of a row with its wallets `wallet0`, `wallet1`. */
  readonly walletFaults?: readonly Fault[];
  /** More SQL that its posting is joined with, and faults. */
  readonly counter?: readonly [from: string, fault: Fault];
  /** Event of the record of its request, with the facts in there. */
  readonly recorded?: { event: string; facts: Facts };
  /** Event of the record of its payout, with the day on which it left the bank. */
  readonly paidOut?: string;
}

/** SQL of the person who made a move: its owner, the admin who took one back, or null for Purser. */
export const MOVED_BY = `coalesce(thing.taken_back_by,
  CASE WHEN thing.payroll_line_id IS NULL THEN thing.user_id END)`;

const OWN = [['thing.wallet_id', 'thing.user_id', '-']] as const;
const payout = (table: 'withdrawal' | 'bill') =>
  ({
    name: table,
    table,
    kinds: [table],
    reference: 'thing.transaction_reference',
    // The administrator who marked the file as sent, where it was sent in one.
    poster: `coalesce((
      SELECT sent.actor_id FROM audit_event AS sent
       WHERE sent.subject_type = '${table}' AND sent.subject_id = thing.id
         AND sent.action = '${table}.${table === 'bill' ? 'sent' : 'processing'}'
         AND sent.details ? 'transactionId'), done.actor_id)`,
    inTransit: `thing.status = '${table === 'bill' ? 'sent' : 'processing'}' AND EXISTS (
      SELECT FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
       WHERE item.${table}_id = thing.id AND item.is_live AND file.status IN ('sent', 'settled'))`,
    wallets: OWN,
  }) as const;

export const MOVEMENTS: readonly Movement[] = [
  {
    ...payout('withdrawal'),
    postedIn: ['completed', 'returned'],
    heldIn: ['pending', 'approved', 'processing'],
    recorded: {
      event: 'withdrawal.requested',
      facts: {
        ...columns('reference', 'amountMinor', 'currency', 'walletId', 'holdId', 'bankAccountId'),
        ...columns('urgency', 'payrollLineId', 'resendsId'),
        last4: 'thing.bank_last4',
      },
    },
    paidOut: 'withdrawal.completed',
  },
  {
    ...payout('bill'),
    postedIn: ['paid', 'returned'],
    heldIn: ['scheduled', 'due', 'sent'],
    recorded: {
      event: 'bill.scheduled',
      facts: {
        ...columns('reference', 'amountMinor', 'currency', 'walletId', 'holdId', 'payeeId'),
        ...columns('resendsId'),
        payOn: isoDay('thing.pay_on'),
      },
    },
    paidOut: 'bill.paid',
  },
  {
    name: 'deposit',
    table: 'deposit',
    kinds: ['deposit'],
    postedIn: ['approved'],
    reference: 'thing.reference',
    poster: 'thing.moved_by',
    wallets: [['thing.wallet_id', 'thing.user_id', '+']],
    counter: [
      `LEFT JOIN ledger_account AS clearing
         ON clearing.code = 'deposit_clearing:' || thing.method AND clearing.currency = thing.currency
       LEFT JOIN ledger_entry AS counter
         ON counter.transaction_id = posting.id AND counter.account_id = clearing.id`,
      [
        'counter.amount IS NULL',
        'does not come from the method of its deposit, %s',
        'thing.method',
      ],
    ],
    recorded: {
      event: 'deposit.requested',
      facts: {
        ...columns('reference', 'method', 'amountMinor', 'feeMinor', 'currency', 'walletId'),
        limitDay: isoDay('thing.limit_day'),
        instructionsHash: instructionsHash('thing'),
      },
    },
  },
  {
    name: 'payment',
    table: 'person_payment',
    kinds: ['transfer'],
    reference: 'thing.reference',
    poster: 'thing.payer_id',
    wallets: [
      ['thing.payer_wallet_id', 'thing.payer_id', '-'],
      ['thing.recipient_wallet_id', 'thing.recipient_id', '+'],
    ],
    walletFaults: [
      [`wallet1.type <> 'salary'`, 'goes to the account %s of the recipient', 'wallet1.type'],
    ],
    recorded: {
      event: 'person_payment.made',
      facts: {
        ...columns('reference', 'amountMinor', 'currency', 'payerWalletId', 'recipientId'),
        ...columns('recipientWalletId'),
        limitDay: isoDay('thing.limit_day'),
      },
    },
  },
  {
    name: 'move',
    table: 'wallet_move',
    kinds: ['move'],
    reference: 'thing.reference',
    poster: MOVED_BY,
    wallets: [
      ['thing.from_wallet_id', 'thing.user_id', '-'],
      ['thing.to_wallet_id', 'thing.user_id', '+'],
    ],
    recorded: {
      event: 'wallet_move.made',
      facts: {
        ...columns('reference', 'amountMinor', 'currency', 'fromWalletId', 'toWalletId'),
        ...columns('payrollLineId', 'takesBackId'),
      },
    },
  },
  {
    name: 'payroll',
    table: 'payroll_line',
    scope: ['payroll_batch', 'thing.batch_id'],
    joinedWith: 'LEFT JOIN payroll_batch AS batch ON batch.id = thing.batch_id',
    kinds: ['payroll', 'funding'],
    kind: `CASE WHEN batch.funding_type IS NULL THEN 'payroll' ELSE 'funding' END`,
    postedIn: ['processed', 'reversed'],
    reference: `CASE WHEN batch.funding_type IS NOT NULL THEN 'IF-' || batch.number
      ELSE format('PAY-%s-%s', batch.number, lpad(thing.line_number::text,
                  greatest(4, length(thing.line_number::text)), '0')) END`,
    poster: 'batch.created_by',
    wallets: [['thing.wallet_id', 'thing.user_id', '+']],
  },
];
