import { sql } from 'kysely';
import { withdrawal } from '#contract/things/withdrawal.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  inPayoutFile,
  isChangeOpen,
  isReturnDisputed,
  otherAttempts,
  recordedActs,
} from '#server/modules/acts/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import { isReturnedOfApproved } from './withdrawal.ts';

const DONE = recordedActs(withdrawal, 'withdrawal.id').as('done');

/** Withdrawals with the wallet, the employee, and the acts that were done to them. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('withdrawal')
    .innerJoin('wallet', 'wallet.id', 'withdrawal.walletId')
    .innerJoin('appUser as owner', 'owner.id', 'withdrawal.userId')
    .innerJoin('bankAccount', 'bankAccount.id', 'withdrawal.bankAccountId')
    .leftJoin('appUser as requester', 'requester.id', 'withdrawal.requestedBy')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.userId', 'withdrawal.walletId'])
    .select(['withdrawal.bankAccountId', 'withdrawal.bankName', 'withdrawal.bankLast4'])
    .select(['bankAccount.status as bankStatus', 'withdrawal.amountMinor', 'withdrawal.currency'])
    .select(['withdrawal.urgency', 'withdrawal.reason', 'withdrawal.status'])
    .select(['withdrawal.rejectionReason', 'withdrawal.transactionReference'])
    .select(['withdrawal.ledgerTransactionId', 'withdrawal.requestedAt'])
    .select(['withdrawal.bankReference', 'wallet.type as walletType'])
    .select(['wallet.last4 as walletLast4', 'owner.payoutsFrozenAt as frozenAt'])
    .select(['owner.employeeNumber', 'owner.department', 'owner.name as employeeName'])
    .select(['withdrawal.requestedBy', 'requester.name as requesterName'])
    .select([
      // A date would become the moment of its midnight somewhere.
      sql<string | null>`to_char(withdrawal.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
    ])
    .select(payableFrom('bank_account.submitted_at', 'owner.password_reset_at').as('payableFrom'))
    .select(inPayoutFile('withdrawal_id', 'withdrawal.id').as('inFile'))
    .select(isReturnDisputed('withdrawal', 'withdrawal').as('isDisputed'))
    .select(isChangeOpen('withdrawal.bank_account_id').as('isChangeOpen'))
    .select(isReturnedOfApproved('withdrawal').as('isIdentityApproved'))
    .select(otherAttempts('withdrawal'))
    .select(DONE);
}

export type WithdrawalRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];
