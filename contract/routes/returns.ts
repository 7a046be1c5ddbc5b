import { z } from 'zod';
import { BANK_ACCOUNT_TYPES } from '../bank-accounts.ts';
import { PAYOUT_KINDS } from '../payouts.ts';
import { RETURN_CAUSES, RETURN_ENTRY_KINDS, RETURN_ENTRY_STATUSES } from '../returns.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { done, otherAttempt, person } from './common.ts';
import { day, id, idParams, instant, money, page } from './values.ts';
import { defineRoute } from './define.ts';
import { keysOf } from '../keys.ts';

const kind = namedEnum('PayoutKind', PAYOUT_KINDS);
const cause = namedEnum('ReturnEntryCause', keysOf(RETURN_CAUSES));

const returnFile = namedObject('ReturnFile', {
  id,
  fileName: z.string(),
  /** Name of the bank in its header, and the day there. */
  bankName: z.string(),
  madeOn: day,
  bookedAt: instant,
  bookedBy: z.string(),
  entryCount: z.number().int(),
  /** Sum of its returns. */
  total: money,
  /** Entries that need an administrator, with those that the ledger refused. */
  open: z.number().int(),
  /** Entries that are still to be booked: a large file takes some minutes, and the ledger may refuse one. */
  waiting: z.number().int(),
});

/** A payment of a payout file. */
const payment = namedObject('ReturnedPayment', {
  itemId: id,
  kind,
  id,
  reference: z.string(),
  payTo: z.string(),
  employee: person,
  bankName: z.string().nullable(),
  last4: z.string(),
  /** `Salary Wallet ••4402`; null of a prenote, which moved no money. */
  wallet: z.string().nullable(),
  amount: money,
  fileNumber: z.string(),
  /** Place of the entry in its file, from 1. */
  position: z.number().int(),
  /** The request that sends it again after it came back. */
  resentAs: otherAttempt,
});

const details = namedObject('AchDetails', {
  last4: z.string(),
  routingNumber: z.string(),
  accountType: z.enum(BANK_ACCOUNT_TYPES),
});

const change = namedObject('ProposedChange', {
  before: details,
  after: details,
  dueOn: day,
  /** The sentence with which updating the account would be refused now; null if it would not, and once it is decided. */
  refusal: z.string().nullable(),
});

const returnEntry = namedObject('ReturnEntry', {
  id,
  /** Record of a NACHA file; of an ISO 20022 message the number of the payment among those that came back. */
  record: z.number().int(),
  kind: namedEnum('ReturnEntryKind', RETURN_ENTRY_KINDS),
  /** R01 to R85, C01 to C13, or an ISO 20022 reason of four characters. */
  code: z.string(),
  /** Trace number; of an ISO 20022 message whose payment is not known, the reference that it has for it. */
  traceNumber: z.string(),
  amount: money,
  /** Name in the file, of an entry whose payment is not known; empty otherwise. */
  receiver: z.string(),
  status: namedEnum('ReturnEntryStatus', RETURN_ENTRY_STATUSES),
  cause: cause.nullable(),
  payment: payment.nullable(),
  /** True while nothing can be paid to the account or the payee because of this return. */
  isMarked: z.boolean(),
  /** Payouts to the account or the payee that are held because of it. */
  held: z.number().int(),
  change: change.nullable(),
  at: instant,
  by: z.string(),
});

/** Entries of a file by what became of them. */
const figures = namedObject('ReturnFigures', {
  unknown: z.object({ count: z.number().int(), total: money }),
  /** Payments that came back, and the wallets that they are back in. */
  booked: z.object({ count: z.number().int(), total: money, wallets: z.number().int() }),
  /** Changes of bank details, and those that need an administrator. */
  changes: z.object({ count: z.number().int(), open: z.number().int() }),
});

const fileQuery = z.object({ fileName: z.string().max(1_000).default('') });

const check = namedObject('ReturnFileCheck', {
  /** SHA-256 of the file, as hex. Booking carries it. */
  hash: z.string(),
  /** The place and the fault of a file that cannot be booked; null for one that can. */
  refused: z
    .object({
      /** Record of a NACHA file, or line of an ISO 20022 message. */
      record: z.number().int(),
      /** True for an ISO 20022 message, which has lines and elements. */
      isXml: z.boolean(),
      /** Path of the element; null of a NACHA file, and where the XML itself is wrong. */
      element: z.string().nullable(),
      columns: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
      why: z.string(),
      /** The control record that is wrong. Other records hold account numbers and are never quoted. */
      control: z
        .object({
          kind: z.enum(['batch', 'file']),
          record: z.string(),
          figures: z.array(
            z.object({
              name: z.string(),
              from: z.number().int(),
              to: z.number().int(),
              found: z.string(),
              expected: z.string(),
            }),
          ),
        })
        .nullable(),
    })
    .nullable(),
  /** The file that was booked with these bytes. */
  bookedAs: returnFile.nullable(),
  bankName: z.string(),
  entryCount: z.number().int(),
  /** Entries by what becomes of them. */
  booked: z.object({ count: z.number().int(), total: money }),
  unknown: z.number().int(),
  proposed: z.number().int(),
  repeated: z.number().int(),
  listed: z.number().int(),
});

const TOPICS = ['payouts', 'withdrawals', 'payments', 'bank-accounts', 'people'] as const;
const CHANGES = {
  changes: { admins: ['payouts'] },
  mayChange: {
    owner: ['withdrawals', 'payments', 'wallets', 'bank-accounts'],
    admins: ['withdrawals', 'payments', 'bank-accounts'],
  },
} as const;
const OF_ENTRY = {
  access: 'admin',
  confirms: 'recent',
  idempotency: 'required',
  params: idParams,
} as const;
const DECIDED = ['return_entry_not_found', 'return_entry_decided'] as const;
const BOOKING = ['second_person_needed', 'own_request', 'data_destroyed'] as const;

export const returnRoutes = {
  adminGetReturns: defineRoute('GET /api/admin/returns', {
    summary: 'The newest returns files, and one of them with its entries',
    access: 'admin',
    topics: TOPICS,
    /** Without a file: the newest one. Pages from 1. */
    query: z.object({ file: id.optional(), page }),
    reply: z.object({
      files: z.array(returnFile),
      file: returnFile.nullable(),
      figures,
      /** A page of its entries: those that need an administrator first, then those that are booked. */
      entries: z.array(returnEntry),
      /** The first entries that the ledger refused when the file was booked. They are tried again each minute. */
      refused: z.array(
        namedObject('RefusedReturnEntry', {
          ...returnEntry.shape,
          why: z.string(),
          triedAt: instant,
        }),
      ),
      /** Entries of all pages. Those that wait are on none. */
      entryCount: z.number().int(),
    }),
    errors: ['return_file_not_found'],
  }),
  adminFindReturnedPayments: defineRoute('GET /api/admin/returns/entries/{id}/payments', {
    summary: 'Payments that a return could be of: sent, of its amount, and not come back',
    access: 'admin',
    topics: TOPICS,
    params: idParams,
    query: z.object({ search: z.string().max(100).default('') }),
    reply: z.object({
      payments: z.array(
        namedObject('FoundPayment', {
          ...payment.shape,
          /** The sentence with which booking the return to it would be refused now; null if it would not. */
          refusal: z.string().nullable(),
        }),
      ),
    }),
    errors: ['return_entry_not_found'],
  }),
  adminCheckReturns: defineRoute('POST /api/admin/returns/check', {
    summary: 'Check a returns file (NACHA, pain.002 or camt.054); nothing is booked',
    access: 'admin',
    confirms: 'recent',
    hourly: 'uploads',
    upload: 'csv',
    reply: check,
    errors: ['return_file_too_large'],
  }),
  adminBookReturns: defineRoute('POST /api/admin/returns', {
    summary: 'Book a checked returns file, all of it or nothing: the money is back in the wallets',
    access: 'admin',
    confirms: 'recent',
    hourly: 'uploads',
    query: fileQuery.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    upload: 'csv',
    reply: returnFile,
    status: 201,
    errors: [
      ...(['return_file_too_large', 'return_file_unreadable', 'return_file_booked'] as const),
      ...(['conflict', ...BOOKING] as const),
    ],
  }),
  adminBookReturnTo: defineRoute('POST /api/admin/returns/entries/{id}/book', {
    summary: 'Book a return to the payment that an administrator found',
    ...OF_ENTRY,
    ...CHANGES,
    body: z.object({ itemId: id }),
    reply: done,
    errors: [...DECIDED, ...BOOKING, 'return_item_differs'],
  }),
  adminSetReturnAside: defineRoute('POST /api/admin/returns/entries/{id}/not-ours', {
    summary: 'Set an entry aside that is not of this company; nothing is booked for it',
    ...OF_ENTRY,
    changes: { admins: ['payouts'] },
    reply: done,
    errors: DECIDED,
  }),
  adminAcceptChange: defineRoute('POST /api/admin/returns/entries/{id}/accept', {
    summary: 'Update a bank account as its bank asked; its owner is notified and payouts cool off',
    ...OF_ENTRY,
    ...CHANGES,
    reply: done,
    errors: [
      ...DECIDED,
      ...BOOKING,
      ...(['change_outdated', 'bank_account_in_use', 'bank_account_exists'] as const),
    ],
  }),
  adminDeclineChange: defineRoute('POST /api/admin/returns/entries/{id}/decline', {
    summary: 'Keep a bank account as it is, although its bank asked for other details',
    ...OF_ENTRY,
    changes: { admins: ['payouts'] },
    reply: done,
    errors: DECIDED,
  }),
};
