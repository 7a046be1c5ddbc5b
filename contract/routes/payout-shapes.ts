import { z } from 'zod';
import {
  PAYEE_GROUPS,
  PAYOUT_CHECKS,
  PAYOUT_FORMATS,
  PAYOUT_KINDS,
  BANK_REVERSAL_REASONS,
} from '../payouts.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { PAYOUT_FILE_STATUSES, PAYOUT_REVERSAL_STATUSES } from '../statuses.ts';
import { payoutFile as payoutFileThing } from '../things/payout-file.ts';
import { payoutReversal as payoutReversalThing } from '../things/payout-reversal.ts';
import { actsOf, completed, person, railStep } from './common.ts';
import { day, id, instant, money } from './values.ts';

export const payees = namedEnum('PayeeGroup', PAYEE_GROUPS);
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

export const readyPayout = namedObject('ReadyPayout', {
  ...payout.shape,
  payees,
  /** Banking day on which the payee has the money. */
  effectiveOn: day,
  /** Time of its approval; of a bill the time at which it became due, of a bank account that at which it was handed in. */
  since: instant,
});

export const heldPayout = namedObject('HeldPayout', {
  ...payout.shape,
  reason: namedEnum('HeldReason', [
    ...(['stopped', 'frozen', 'unverified', 'change', 'cooling', 'format', 'other'] as const),
  ]),
  /** The sentence by which a file with it is refused now. */
  refusal: z.string(),
  /** The bank account that it goes to; null of a bill. */
  bankAccountId: id.nullable(),
  /** Returns file in which its bank asks for other details; null of one that is held for another reason. */
  changeFileId: id.nullable(),
});

export const sum = namedObject('PaymentSum', { count: z.number().int(), total: money });

export const returned = namedObject('ReturnedPayments', {
  ...sum.shape,
  /** Numbers of the payout files that they were in. */
  fileNumbers: z.array(z.string()),
});

export const payoutFileRow = {
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

export const entry = namedObject('PayoutEntry', {
  ...payout.shape,
  batchNumber: z.number().int(),
  traceNumber: z.string(),
  /** Status of the withdrawal, the bill or the bank account. */
  status: z.string(),
  itemId: id,
  /** Last day on which the bank can be asked to take it back; null where it cannot. May be over. */
  reversibleUntil: day.nullable(),
  /** The sentence with which the reader would be refused to take it back until then; null if they would not. */
  reversalRefusal: z.string().nullable(),
});

export const reversalReason = namedEnum('BankReversalReason', BANK_REVERSAL_REASONS);

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
