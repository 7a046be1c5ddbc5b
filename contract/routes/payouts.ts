import { z } from 'zod';
import {
  MAX_CHOSEN_PAYMENTS,
  MAX_PAYOUT_ITEMS,
  PAYEE_GROUPS,
  PAYOUT_CHECKS,
  PAYOUT_FORMATS,
  PAYOUT_KINDS,
  BANK_REVERSAL_REASONS,
} from '../payouts.ts';
import { SEARCH_MAX_LENGTH } from '../limits.ts';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { PAYOUT_FILE_STATUSES, PAYOUT_REVERSAL_STATUSES } from '../statuses.ts';
import { payoutFile as payoutFileThing } from '../things/payout-file.ts';
import { payoutReversal as payoutReversalThing } from '../things/payout-reversal.ts';
import { actRoutes } from './act.ts';
import { actsOf, completed, person, railStep } from './common.ts';
import { day, id, idParams, instant, money, page, reason } from './values.ts';
import { defineRoute } from './define.ts';

const payees = namedEnum('PayeeGroup', PAYEE_GROUPS);
const kind = namedEnum('PayoutKind', PAYOUT_KINDS);

/**
 * A withdrawal, a bill, a prenote or a micro-deposit, as the company's bank gets it. The id of the last two is that of their
 * bank account. Micro-deposits have no amounts before they are in a file.
 */
const payout = z.object({
  id,
  kind,
  reference: z.string(),
  /** The person or the business that is paid. */
  payTo: z.string(),
  /** The employee whose wallet pays it. */
  employee: person,
  /** Null of a bill: its payer enters no name of a bank. */
  bankName: z.string().nullable(),
  last4: z.string(),
  amount: money,
});

const readyPayout = namedObject('ReadyPayout', {
  ...payout.shape,
  payees,
  /** Banking day on which the payee has the money. */
  effectiveOn: day,
  /** Time of its approval; of a bill the time at which it became due, of a bank account that at which it was handed in. */
  since: instant,
});

const heldPayout = namedObject('HeldPayout', {
  ...payout.shape,
  reason: namedEnum('HeldReason', ['frozen', 'unverified', 'change', 'cooling', 'format', 'other']),
  /** The sentence by which a file with it is refused now. */
  refusal: z.string(),
  /** The bank account that it goes to; null of a bill. */
  bankAccountId: id.nullable(),
  /** Returns file in which its bank asks for other details; null of one that is held for another reason. */
  changeFileId: id.nullable(),
});

const sum = namedObject('PaymentSum', { count: z.number().int(), total: money });

const returned = namedObject('ReturnedPayments', {
  ...sum.shape,
  /** Numbers of the payout files that they were in. */
  fileNumbers: z.array(z.string()),
});

const payoutFileRow = {
  id,
  /** Four digits or more: `0031`. */
  number: z.string(),
  status: namedEnum('PayoutFileStatus', PAYOUT_FILE_STATUSES),
  createdAt: instant,
  /** Effective dates of its batches, in order. */
  effectiveOn: z.array(day),
  itemCount: z.number().int(),
  total: money,
  /** Payments that came back. */
  returned: sum,
};

export const payoutFile = namedObject('PayoutFile', {
  ...payoutFileRow,
  format: namedEnum('BankFileFormat', PAYOUT_FORMATS),
  fileName: z.string(),
  createdBy: z.string(),
  bankName: z.string(),
  /** The company's account that it is paid from. */
  bankLast4: z.string(),
  byteCount: z.number().int(),
  /** SHA-256 of the file, as hex. */
  contentHash: z.string(),
  /** Moment until which the bank must have it; null where nothing in it is paid on the same day. */
  sameDayUntil: instant.nullable(),
  /** Names of those who may download it now, where that takes another than its maker; else empty. */
  waitsFor: z.array(z.string()),
  /** Checks as they are now; empty once the file was sent or cancelled. */
  checks: z.array(
    namedObject('PayoutCheck', {
      check: namedEnum('PayoutCheckName', PAYOUT_CHECKS),
      /** Figures of one that passed. */
      note: z.string().nullable(),
      /** The sentence by which its download is refused now; null of one that passed. */
      refusal: z.string().nullable(),
    }),
  ),
  /** Id by which the bank answers a message in ISO 20022; null of another format. */
  messageId: z.string().nullable(),
  /** Control figures of a NACHA file; null of another format. */
  control: namedObject('PayoutFileControl', {
    blockCount: z.number().int(),
    entryHash: z.string(),
    debit: money,
  }).nullable(),
  batches: z.array(
    namedObject('PayoutBatch', {
      number: z.number().int(),
      payees,
      effectiveOn: day,
      count: z.number().int(),
      total: money,
    }),
  ),
  ...completed,
  /** Payments that are still to be marked as sent or, of a settled file, as completed: a large file takes some minutes. */
  unposted: z.number().int(),
  history: z.array(railStep),
  acts: actsOf(payoutFileThing, 'PayoutFileAct'),
});

const entry = namedObject('PayoutEntry', {
  ...payout.shape,
  batchNumber: z.number().int(),
  traceNumber: z.string(),
  /** Status of the withdrawal, the bill or the bank account. */
  status: z.string(),
  itemId: id,
  /** Last day on which the bank can be asked to take it back; null where it cannot. May be over. */
  reversibleUntil: day.nullable(),
});

const reversalReason = namedEnum('BankReversalReason', BANK_REVERSAL_REASONS);

export const payoutReversal = namedObject('PayoutReversal', {
  id,
  /** Four digits or more: `0003`. */
  number: z.string(),
  itemId: id,
  reason: reversalReason,
  status: namedEnum('PayoutReversalStatus', PAYOUT_REVERSAL_STATUSES),
  /** Reference of the withdrawal or the bill. */
  reference: z.string(),
  payTo: z.string(),
  amount: money,
  fileName: z.string(),
  /** SHA-256 of the file, as hex. */
  contentHash: z.string(),
  /** Day on which the other bank has the debit. */
  effectiveOn: day,
  /** True once the payment came back. */
  isBack: z.boolean(),
  history: z.array(railStep),
  acts: actsOf(payoutReversalThing, 'PayoutReversalAct'),
});

/** The file itself, with whole account numbers. No reply is stored that has it (decision 019). */
const download = namedObject('PayoutFileDownload', {
  file: payoutFile,
  fileName: z.string(),
  content: z.string(),
});

const downloadErrors = [
  ...(['payout_file_not_found', 'payout_file_wrong_status', 'payout_item_not_ready'] as const),
  ...(['payout_file_differs', 'data_destroyed', 'second_person_needed'] as const),
  'payout_check_failed' as const,
];
const chosen = z.array(id).max(MAX_CHOSEN_PAYMENTS).default([]);

/** Part of what is ready or held. */
const part = {
  /** Words in a name, a reference, a bank, or the last digits of an account. */
  search: z.string().max(SEARCH_MAX_LENGTH).default(''),
  payees: namedEnum('PayeesChosen', ['all', ...PAYEE_GROUPS]).default('all'),
  /** Effective date; `all` for each. */
  on: z.union([named('AllDays', z.literal('all')), day]).default('all'),
};

const lot = namedObject('PayoutLot', {
  effectiveOn: day,
  payees,
  count: z.number().int(),
  total: money,
});

const downloads = {
  access: 'admin',
  confirms: 'recent',
  idempotency: 'required',
  hourly: 'payoutDetails',
  params: idParams,
} as const;

export const payoutRoutes = {
  adminGetPayouts: defineRoute('GET /api/admin/payouts', {
    summary: 'Payments that can leave now, those that cannot and why, and the newest payout files',
    access: 'admin',
    topics: ['payouts', 'withdrawals', 'payments', 'bank-accounts', 'people', 'settings', 'books'],
    query: z.object({ ...part, filesPage: page }),
    reply: namedObject('Payouts', {
      /** False while the company has entered no bank for files: payouts are entered at the bank by hand. */
      hasFiles: z.boolean(),
      /** True while the company asks for prenotes. */
      hasPrenotes: z.boolean(),
      /** True while the company asks for micro-deposits. */
      hasMicroDeposits: z.boolean(),
      bankName: z.string().nullable(),
      bankLast4: z.string().nullable(),
      /** The first of those that the query asks for; `lots` counts as many of them as one file has. */
      ready: z.array(readyPayout),
      /** Future batches of the file that all of the query would make. */
      lots: z.array(lot),
      /** Everything that is ready, whatever the query asks for. */
      readySum: sum,
      /** Number of withdrawals among them, of prenotes, and of bank accounts that get micro-deposits. */
      readyWithdrawals: z.number().int(),
      readyPrenotes: z.number().int(),
      readyMicroDeposits: z.number().int(),
      /** Effective dates of everything that is ready, in order. */
      readyDays: z.array(day),
      /** The first of all that are held. */
      held: z.array(heldPayout),
      heldSum: sum,
      /** Sum of what was sent in files and is not settled. */
      onItsWay: money,
      /** Files that were sent and are not settled; the number of the only one, and their first and last effective date. */
      sentFiles: namedObject('SentFiles', {
        count: z.number().int(),
        number: z.string().nullable(),
        from: day.nullable(),
        to: day.nullable(),
      }),
      /** Payments of files that came back in this month of the company. */
      returnedThisMonth: returned,
      /** Those of today. */
      returnedToday: returned,
      /** Unknown returns and changes of bank details that wait for a decision. */
      openReturns: z.number().int(),
      /** The returns file with the oldest of them. */
      openReturnsFileId: id.nullable(),
      /** Payments that are not ready yet. */
      coming: namedObject('ComingPayments', {
        /** Withdrawals that wait for approval. */
        withdrawals: z.number().int(),
        /** Day of the next bill. */
        nextBillOn: day.nullable(),
      }),
      /** Same-day payment of people that a file made now could have; null if there is none today. */
      sameDay: namedObject('SameDayPayment', { until: instant, most: money, on: day }).nullable(),
      /** A page of the files, newest first. */
      files: z.array(
        namedObject('PayoutFileRow', {
          ...payoutFileRow,
          /** The first payments of it that came back. */
          cameBack: z.array(
            namedObject('CameBack', {
              id,
              payTo: z.string(),
              employee: person,
              bankName: z.string().nullable(),
              last4: z.string(),
              /** Code of its return; null of one that was entered by hand. */
              code: z.string().nullable(),
              amount: money,
              at: instant,
            }),
          ),
        }),
      ),
      fileCount: z.number().int(),
    }),
  }),
  adminExportPayouts: defineRoute('GET /api/admin/payouts/export', {
    summary: 'Payments that can leave now as a CSV file, in the order of the page',
    access: 'admin',
    confirms: 'recent',
    hourly: 'exports',
    topics: null,
    query: z.object(part),
    reply: 'csv',
  }),
  adminExportPayoutFile: defineRoute('GET /api/admin/payouts/{id}/export', {
    summary: 'Payments of a payout file as a CSV file, without whole account numbers',
    access: 'admin',
    confirms: 'recent',
    hourly: 'exports',
    topics: null,
    params: idParams,
    reply: 'csv',
    errors: ['payout_file_not_found'],
  }),
  adminGetPayoutFile: defineRoute('GET /api/admin/payouts/{number}', {
    summary: 'One payout file by its number, with a page of its entries',
    access: 'admin',
    topics: ['payouts', 'withdrawals', 'payments', 'bank-accounts'],
    params: z.object({ number: z.string().regex(/^(?!0+$)\d{1,9}$/) }),
    query: z.object({ page }),
    reply: named(
      'PayoutFileWithEntries',
      payoutFile.extend({
        entries: z.array(entry),
        /** The first payments that the ledger refused when the file was posted. They are tried again each minute. */
        refused: z.array(
          namedObject('RefusedPayoutEntry', { ...entry.shape, why: z.string(), triedAt: instant }),
        ),
        reversals: z.array(payoutReversal),
      }),
    ),
    errors: ['payout_file_not_found'],
  }),
  adminMakePayoutFile: defineRoute('POST /api/admin/payouts', {
    summary:
      'Make a payout file of chosen withdrawals, bills, prenotes and micro-deposits; moves no money',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['payouts', 'withdrawals', 'payments', 'bank-accounts'] },
    body: z
      .object({
        withdrawalIds: chosen,
        billIds: chosen,
        /** Bank accounts that get a prenote or micro-deposits. */
        bankAccountIds: chosen,
        /** Everything that is ready in this part, as it was shown; in place of the lists. */
        all: z
          .object({
            ...part,
            count: z.number().int().min(1).max(MAX_PAYOUT_ITEMS),
            total: money,
          })
          .nullable()
          .default(null),
        /** True to pay people today, as far as the amount allows it. */
        isSameDay: z.boolean().default(false),
      })
      .refine(
        ({ withdrawalIds, billIds, bankAccountIds, all }) =>
          withdrawalIds.length + billIds.length + bankAccountIds.length > 0 !== (all !== null),
        'Choose payments, or all of them',
      ),
    reply: payoutFile,
    errors: [
      ...(['payouts_by_hand', 'withdrawal_not_found', 'bill_not_found', 'data_destroyed'] as const),
      ...([
        'bank_account_not_found',
        'payout_item_not_ready',
        'payout_item_unwritable',
        'payout_files_full',
      ] as const),
      ...(['same_day_passed', 'payouts_changed'] as const),
    ],
  }),
  adminDownloadPayoutFile: defineRoute('POST /api/admin/payouts/{id}/download', {
    summary: 'Download a payout file, once',
    ...downloads,
    changes: { admins: ['payouts', 'withdrawals', 'payments', 'bank-accounts'] },
    reply: download,
    errors: downloadErrors,
  }),
  adminDownloadPayoutFileAgain: defineRoute('POST /api/admin/payouts/{id}/download-again', {
    summary: 'Download a payout file once more, with a reason',
    ...downloads,
    changes: { admins: ['payouts', 'withdrawals', 'payments', 'bank-accounts'] },
    body: z.object({ reason }),
    reply: download,
    errors: downloadErrors,
  }),
  adminReversePayout: defineRoute('POST /api/admin/payout-reversals', {
    summary:
      'Prepare the file by which the bank takes a payment of a payout file back; moves no money',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['payouts'] },
    body: z.object({ itemId: id, reason: reversalReason }),
    reply: payoutReversal,
    errors: [
      ...(['payout_item_not_found', 'own_request', 'payout_reversal_asked'] as const),
      ...(['payout_not_reversible', 'payout_files_full', 'payout_item_unwritable'] as const),
      'data_destroyed' as const,
    ],
  }),
  adminDownloadPayoutReversal: defineRoute('POST /api/admin/payout-reversals/{id}/download', {
    summary: 'Download the file of a reversal, once',
    ...downloads,
    changes: { admins: ['payouts'] },
    reply: z.object({ reversal: payoutReversal, fileName: z.string(), content: z.string() }),
    errors: [
      ...(['payout_reversal_not_found', 'payout_reversal_wrong_status'] as const),
      ...(['payout_not_reversible', 'payout_reversal_late', 'second_person_needed'] as const),
      ...(['payout_file_differs', 'data_destroyed'] as const),
    ],
  }),
  ...actRoutes(payoutReversalThing, { admin: payoutReversal }),
  ...actRoutes(payoutFileThing, { admin: payoutFile }),
};
