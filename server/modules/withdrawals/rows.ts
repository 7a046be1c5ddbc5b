import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { payableFrom } from '#server/modules/settings/index.ts';

/** Withdrawals with what is shown beside them: the wallet, the employee, and who acted. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('withdrawal')
    .innerJoin('wallet', 'wallet.id', 'withdrawal.walletId')
    .innerJoin('appUser as owner', 'owner.id', 'withdrawal.userId')
    .innerJoin('bankAccount', 'bankAccount.id', 'withdrawal.bankAccountId')
    .leftJoin('appUser as requester', 'requester.id', 'withdrawal.requestedBy')
    .leftJoin('appUser as approver', 'approver.id', 'withdrawal.approvedBy')
    .leftJoin('appUser as processor', 'processor.id', 'withdrawal.processingBy')
    .leftJoin('appUser as completer', 'completer.id', 'withdrawal.completedBy')
    .leftJoin('appUser as closer', 'closer.id', 'withdrawal.closedBy')
    .select([
      'withdrawal.id',
      'withdrawal.reference',
      'withdrawal.userId',
      'withdrawal.walletId',
      'withdrawal.bankAccountId',
      'withdrawal.bankName',
      'withdrawal.bankLast4',
      'bankAccount.status as bankStatus',
      'withdrawal.amountMinor',
      'withdrawal.currency',
      'withdrawal.urgency',
      'withdrawal.reason',
      'withdrawal.status',
      'withdrawal.rejectionReason',
      'withdrawal.transactionReference',
      'withdrawal.requestedAt',
      'withdrawal.approvedAt',
      'withdrawal.approvedBy',
      'withdrawal.processingAt',
      'withdrawal.completedAt',
      'withdrawal.bankReference',
      'withdrawal.closedAt',
      'wallet.type as walletType',
      'wallet.last4 as walletLast4',
      'owner.employeeNumber',
      'owner.department',
      'owner.name as employeeName',
      'withdrawal.requestedBy',
      'requester.name as requesterName',
      'approver.name as approverName',
      'processor.name as processorName',
      'completer.name as completerName',
      'closer.name as closerName',
    ])
    .select([
      // A date would become the moment of its midnight somewhere.
      sql<string | null>`to_char(withdrawal.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
    ])
    .select(payableFrom('bankAccount.submittedAt').as('payableFrom'));
}

export type WithdrawalRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];
