import { sql } from 'kysely';
import { bill } from '#contract/things/bill.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  inPayoutFile,
  isReturnDisputed,
  otherAttempts,
  recordedActs,
} from '#server/modules/acts/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import { RETURN_COLUMNS } from './payee-return.ts';

const DONE = recordedActs(bill, 'bill.id').as('done');

/** Bills with wallet, payee, the employee, and the acts that were done to them. */
export function selectBills(reader: Reader) {
  return reader
    .selectFrom('bill')
    .innerJoin('wallet', 'wallet.id', 'bill.walletId')
    .innerJoin('payee', 'payee.id', 'bill.payeeId')
    .innerJoin('appUser as owner', 'owner.id', 'bill.userId')
    .leftJoin('bill as sentBack', 'sentBack.id', 'payee.returnedBillId')
    .selectAll('bill')
    .select(['wallet.type as walletType', 'wallet.last4 as walletLast4', 'payee.kind as payeeKind'])
    .select(['payee.accountType as payeeAccountType', 'payee.customerNumber'])
    .select(['payee.routingNumber', 'payee.returnedBillId', 'owner.acceptedAt'])
    .select(['owner.payoutsFrozenAt as frozenAt', 'owner.employeeNumber', 'owner.department'])
    .select('owner.name as employeeName')
    .select([
      // A date would become the moment of its midnight somewhere.
      sql<string>`to_char(bill.pay_on, 'YYYY-MM-DD')`.as('payDay'),
      sql<string | null>`to_char(bill.due_on, 'YYYY-MM-DD')`.as('dueDay'),
      sql<string | null>`to_char(bill.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
      ...RETURN_COLUMNS,
    ])
    .select([
      ...otherAttempts('bill'),
      inPayoutFile('bill_id', 'bill.id').as('inFile'),
      isReturnDisputed('bill', 'bill').as('isDisputed'),
      payableFrom('payee.created_at', 'owner.password_reset_at').as('payableFrom'),
      payableFrom('owner.password_reset_at').as('payerPayableFrom'),
      // Asked of bills that their owners can change or send again.
      sql<boolean>`(bill.status IN ('scheduled', 'returned') AND EXISTS (
        SELECT FROM kyc_application WHERE user_id = bill.user_id AND status = 'approved'))`.as(
        'isIdentityApproved',
      ),
    ])
    .select(DONE);
}

export type BillRow = Awaited<ReturnType<ReturnType<typeof selectBills>['execute']>>[number];
