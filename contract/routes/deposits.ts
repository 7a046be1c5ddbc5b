import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPOSIT_METHOD_IDS, depositRules } from '../deposits.ts';
import { depositList, ownDepositList } from '../lists.ts';
import { CHECK_SIDES, DEPOSIT_STATUSES } from '../statuses.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { deposit as depositThing } from '../things/deposit.ts';
import { actsOf, IMAGE_ERRORS, person, railStep, actDone } from './common.ts';
import { amount, day, id, idParams, instant, money, optionalTextOf } from './values.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

/** A deposit request as its owner sees it. */
export const deposit = namedObject('Deposit', {
  id,
  /** `DEP-` and eight digits; also the ledger's reference once it is approved. */
  reference: z.string(),
  status: namedEnum('DepositStatus', DEPOSIT_STATUSES),
  walletId: id,
  walletName: z.string(),
  walletLast4: z.string(),
  method: z.enum(DEPOSIT_METHOD_IDS),
  methodName: z.string(),
  /** Amount that arrives in the wallet. */
  amount: money,
  /** Charged on top by the method; never touches the wallet. */
  fee: money,
  /** Amount and fee: what the person sends. */
  total: money,
  /** The person's own words; may be empty. */
  description: z.string(),
  rejectionReason: z.string().nullable(),
  submittedAt: instant,
  /** Banking days, while it waits and where there is an estimate. */
  expected: z.object({ from: day, to: day }).nullable(),
  history: z.array(railStep),
  acts: actsOf(depositThing, 'DepositAct'),
});

const payTo = z.string();
/** The company's own words; left out where it had none. */
const note = z.string().optional();
/** The company's account; null in instructions from before companies entered one: nobody is to send money there. */
const receivingAccount = named(
  'ReceivingAccount',
  z.object({ routingNumber: z.string(), accountNumber: z.string() }).nullable(),
);

/** The instructions the person was given, as they were when they asked. */
export const depositInstructions = z.discriminatedUnion('method', [
  namedObject('AchInstructions', { method: z.literal('ach'), payTo, receivingAccount, note }),
  namedObject('WireInstructions', {
    method: z.literal('wire'),
    payTo,
    bankName: z.string(),
    bankAddress: z.string(),
    receivingAccount,
    note,
  }),
  namedObject('CardInstructions', {
    method: z.literal('card'),
    chargedBy: z.string(),
    paymentPage: z.string(),
    note,
  }),
  namedObject('MobileCheckInstructions', { method: z.literal('mobile_check'), payTo, note }),
  /** `mailTo` is in lines. */
  namedObject('PhysicalCheckInstructions', {
    method: z.literal('physical_check'),
    payTo,
    mailTo: z.string(),
    note,
  }),
  namedObject('SecureTransferInstructions', {
    method: z.literal('secure_transfer'),
    phone: z.string(),
    note,
  }),
]);

const checkImage = namedObject('CheckImage', {
  id,
  side: namedEnum('CheckSide', CHECK_SIDES),
  fileName: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  byteSize: z.number().int(),
  uploadedAt: instant,
});

const depositDetails = deposit.extend({
  /** Null for those made before Purser kept them. */
  instructions: depositInstructions.nullable(),
  /** The photographs of a mobile check that are there, front first. */
  images: z.array(checkImage),
  /** True while photographs of its check can be sent or replaced. */
  canPhotograph: z.boolean(),
  /** The last day on which it can be disputed. */
  disputeUntil: day,
  supportEmail: z.string().nullable(),
});

export const adminDeposit = namedObject('AdminDeposit', {
  id,
  /** `DEP-` and eight digits. */
  reference: z.string(),
  employee: person,
  status: z.enum(DEPOSIT_STATUSES),
  method: z.enum(DEPOSIT_METHOD_IDS),
  methodName: z.string(),
  walletType: z.enum(WALLET_TYPES),
  walletName: z.string(),
  walletLast4: z.string(),
  /** Amount that arrives in the wallet. */
  amount: money,
  /** The method's fee, charged on top. */
  fee: money,
  description: z.string(),
  rejectionReason: z.string().nullable(),
  submittedAt: instant,
  acts: actsOf(depositThing, 'DepositAct'),
});

const countAndAmount = z.object({ count: z.number().int(), amount: money });

export const depositRoutes = {
  ...listRoutes('/api/deposits', ownDepositList, deposit, {
    summary: 'My deposits, newest first',
    access: 'employee',
    late: 'all',
    topics: ['deposits'],
  }),
  getDepositOptions: defineRoute('GET /api/deposits/options', {
    summary: 'The ways to deposit that are offered to me, and what each takes yet today',
    access: 'employee',
    topics: ['deposits', 'settings'],
    reply: z.object({
      methods: z.array(
        z.object({
          id: z.enum(DEPOSIT_METHOD_IDS),
          /** Rest of the daily limit; zero when it is used up. */
          leftToday: money,
        }),
      ),
    }),
  }),
  getDeposit: defineRoute('GET /api/deposits/{id}', {
    summary: 'One of my deposits, with the instructions I was given',
    access: 'employee',
    topics: ['deposits'],
    params: idParams,
    reply: depositDetails,
    errors: ['deposit_not_found'],
  }),
  requestDeposit: defineRoute('POST /api/deposits', {
    summary: 'Ask for a deposit into one of my wallets; an admin approves it when it is in',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['deposits', 'wallets'], admins: ['deposits'] },
    body: z.object({
      walletId: id,
      method: namedEnum('DepositMethod', DEPOSIT_METHOD_IDS),
      amount,
      description: optionalTextOf(depositRules.description).default(''),
    }),
    reply: deposit,
    status: 201,
    errors: [
      'wallet_not_found',
      'amount_invalid',
      'deposit_out_of_range',
      'deposit_daily_limit',
      'deposit_method_unavailable',
    ],
  }),
  uploadCheckImage: defineRoute('POST /api/deposits/{id}/images/{side}', {
    summary: 'Upload a photograph of the check of a pending deposit; it replaces the one there',
    access: 'employee',
    params: z.object({ id, side: z.enum(CHECK_SIDES) }),
    query: z.object({ fileName: z.string().max(1_000).default('') }),
    upload: 'image',
    hourly: 'uploads',
    reply: checkImage,
    status: 201,
    errors: [
      ...IMAGE_ERRORS,
      'deposit_not_found',
      'deposit_wrong_status',
      'deposit_confirmed',
      'deposit_takes_no_images',
      'check_image_used',
      'too_many_requests',
      'unavailable',
    ],
  }),
  getCheckImage: defineRoute('GET /api/deposit-images/{id}', {
    summary: 'A photograph of one of my checks',
    access: 'employee',
    params: idParams,
    reply: 'image',
    errors: ['document_not_found', 'unavailable'],
  }),
  ...listRoutes('/api/admin/deposits', depositList, adminDeposit, {
    names: { method: 'DepositMethodFilter', status: 'DepositStatusFilter' },
    summary: 'Deposit requests of all employees',
    access: 'admin',
    late: 'export',
    topics: ['deposits'],
    rowTopics: ['people', 'settings'],
    scope: 'deposits:read',
  }),
  adminDepositStats: defineRoute('GET /api/admin/deposits/stats', {
    summary: 'What waits, and what was decided since the first of the company’s month',
    access: 'admin',
    topics: ['deposits'],
    scope: 'deposits:read',
    reply: z.object({
      pending: countAndAmount,
      /** Time at which the oldest pending one was requested. */
      waitingSince: instant.nullable(),
      approvedThisMonth: countAndAmount,
      rejectedThisMonth: countAndAmount,
    }),
  }),
  adminGetDeposit: defineRoute('GET /api/admin/deposits/{id}', {
    summary:
      'One deposit, with the instructions its owner was given and the photographs of its check',
    access: 'admin',
    topics: ['deposits', 'people', 'settings', 'company-bank'],
    scope: 'deposits:read',
    params: idParams,
    reply: adminDeposit.extend({
      /**
       * Day of the bank's line that is matched with it. Null where no line is, or where no statement was imported yet:
       * `isBankKnown` says which.
       */
      atBankOn: day.nullable(),
      isBankKnown: z.boolean(),
      instructions: depositInstructions.nullable(),
      images: z.array(checkImage),
      history: z.array(railStep),
      /** The administrator who confirmed that it arrived, where it takes two; null: nobody yet. */
      confirmed: actDone.nullable(),
      /** The person who asks: to be read before money is added. */
      context: z.object({
        isIdentityApproved: z.boolean(),
        isAccepted: z.boolean(),
        isDeactivated: z.boolean(),
        /** Their deposits that were approved, and since which year; null without one. */
        approved: z.number().int(),
        since: z.number().int().nullable(),
        rejected: z.number().int(),
      }),
    }),
    errors: ['deposit_not_found'],
  }),
  adminGetCheckImage: defineRoute('GET /api/admin/deposit-images/{id}', {
    summary: 'A photograph of an employee’s check (audited)',
    access: 'admin',
    params: idParams,
    reply: 'image',
    errors: ['document_not_found', 'own_request', 'unavailable'],
  }),
  ...actRoutes(depositThing, { admin: adminDeposit, owner: deposit }),
};
