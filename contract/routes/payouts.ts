import { z } from 'zod';
import { MAX_CHOSEN_PAYMENTS, MAX_PAYOUT_ITEMS, PAYEE_GROUPS } from '../payouts.ts';
import { SEARCH_MAX_LENGTH } from '../limits.ts';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { payoutFile as payoutFileThing } from '../things/payout-file.ts';
import { payoutReversal as payoutReversalThing } from '../things/payout-reversal.ts';
import { actRoutes } from './act.ts';
import { person } from './common.ts';
import { day, id, idParams, instant, money, page, reason } from './values.ts';
import { defineRoute } from './define.ts';
import {
  payees,
  readyPayout,
  heldPayout,
  sum,
  returned,
  payoutFileRow,
  payoutFile,
  entry,
  reversalReason,
  payoutReversal,
} from './payout-shapes.ts';

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
    summary: 'One payout file by its number or its id, with a page of its entries',
    access: 'admin',
    topics: ['payouts', 'withdrawals', 'payments', 'bank-accounts'],
    params: z.object({ number: z.union([z.string().regex(/^(?!0+$)\d{1,9}$/), id]) }),
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
      ...(['same_day_passed', 'payouts_changed', 'payouts_stopped'] as const),
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
