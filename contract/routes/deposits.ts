import { z } from 'zod';
import { DEPOSIT_METHOD_IDS } from '../deposits.ts';
import { depositList } from '../lists.ts';
import { DEPOSIT_STATUSES } from '../statuses.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { id, idParams, instant, money, person, reason } from './common.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

export const adminDeposit = z.object({
  id,
  /** `DEP-` and eight digits. */
  reference: z.string(),
  employee: person,
  status: z.enum(DEPOSIT_STATUSES),
  method: z.enum(DEPOSIT_METHOD_IDS),
  methodName: z.string(),
  walletType: z.enum(WALLET_TYPES),
  walletName: z.string(),
  /** What arrives in the wallet. */
  amount: money,
  /** The method's fee, charged on top. */
  fee: money,
  description: z.string(),
  rejectionReason: z.string().nullable(),
  submittedAt: instant,
});

const decisionErrors = ['deposit_not_found', 'deposit_wrong_status', 'own_request'] as const;

export const depositRoutes = {
  ...listRoutes(depositList, adminDeposit, {
    summary: 'Deposit requests, newest first',
    access: 'admin',
  }),
  adminApproveDeposit: defineRoute({
    summary: 'Approve a deposit: the amount is posted to the wallet',
    access: 'admin',
    idempotency: 'required',
    params: idParams,
    reply: adminDeposit,
    errors: decisionErrors,
  }),
  adminRejectDeposit: defineRoute({
    summary: 'Reject a deposit, with a reason',
    access: 'admin',
    idempotency: 'required',
    params: idParams,
    body: z.object({ reason }),
    reply: adminDeposit,
    errors: decisionErrors,
  }),
};
