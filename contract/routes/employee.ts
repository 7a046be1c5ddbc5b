import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { FURTHER_WALLET_TYPES, WALLET_TYPES } from '../wallets.ts';
import { day, id, idParams, instant, money } from './values.ts';
import { defineRoute } from './define.ts';
import { historyItem } from './history.ts';
import { withdrawal } from './withdrawals.ts';

export const wallet = namedObject('Wallet', {
  id,
  type: namedEnum('WalletType', WALLET_TYPES),
  name: z.string(),
  isPrimary: z.boolean(),
  /** Last four digits; the whole number comes from revealWallet alone. */
  accountNumberLast4: z.string(),
  /** The routing number or sort code of the company's receiving bank; null until it is entered, and next to an IBAN. */
  routingNumber: z.string().nullable(),
  /** Everything posted to the account. */
  balance: money,
  /** Promised to requests that have not been paid out yet. */
  held: money,
  /** balance - held: what can be spent. */
  available: money,
});

/** Sums into and out of accounts; reversed postings count as neither. */
const movedSums = z.object({ received: money, withdrawn: money });

export const employeeRoutes = {
  listWallets: defineRoute('GET /api/wallets', {
    summary: 'My accounts and what is available in them',
    access: 'employee',
    topics: ['wallets'],
    reply: z.object({ accounts: z.array(wallet), totalAssets: money }),
  }),
  revealWallet: defineRoute('POST /api/wallets/{id}/reveal', {
    summary: 'The whole number of one of my accounts (audited)',
    access: 'employee',
    confirms: 'recent',
    hourly: 'accountNumbers',
    changes: {},
    params: idParams,
    reply: namedObject('AccountNumber', { accountNumber: z.string() }),
    errors: ['wallet_not_found'],
  }),
  openFurtherWallet: defineRoute('POST /api/wallets', {
    summary: 'Open a further account of mine: savings, retirement or IRS',
    access: 'employee',
    changes: { owner: ['wallets'], admins: ['wallets'] },
    body: namedObject('WalletBody', { type: namedEnum('FurtherWalletType', FURTHER_WALLET_TYPES) }),
    reply: wallet,
    status: 201,
    errors: ['no_accounts', 'wallet_exists', 'wallet_closed'],
  }),
  getEmployeeDashboard: defineRoute('GET /api/employee/dashboard', {
    summary: 'Figures, recent activity and pending withdrawals',
    access: 'employee',
    topics: ['wallets', 'withdrawals', 'deposits'],
    reply: z.object({
      lastDeposit: namedObject('LastDeposit', {
        amount: money,
        description: z.string(),
        at: instant,
      }).nullable(),
      /** Null while no payday is known. */
      nextPayroll: namedObject('NextPayday', { date: day, inDays: z.number().int() }).nullable(),
      /** Deposits and payroll of this calendar year, and the two apart. */
      ytdEarnings: money,
      ytdPayroll: money,
      ytdDeposits: money,
      /** January to December of this year; months to come are null. */
      earningsByMonth: z.array(money.nullable()).length(12),
      yearSoFar: movedSums.extend({
        /** The parts of `received`; `payments` are those of other employees and between my accounts. */
        payroll: money,
        deposits: money,
        payments: money,
        accounts: z.array(movedSums.extend({ type: z.enum(WALLET_TYPES), name: z.string() })),
        /** January to the present month. */
        months: z.array(movedSums),
        /** Now: of withdrawals and bills that wait, and of those that were sent and have not arrived. */
        held: money,
        onItsWay: money,
      }),
      recentActivity: z.array(historyItem),
      /** Requests that are pending, approved or processing, newest first. */
      pendingWithdrawals: z.array(withdrawal),
      pendingWithdrawalsTotal: money,
      /** Recoveries that were proposed and wait for the person's answer, newest first. */
      askedRecoveries: z.array(z.object({ id, amount: money, by: z.string(), answerBy: day })),
    }),
  }),
};
