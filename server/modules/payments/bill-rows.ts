import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import { RETURN_COLUMNS } from './payee-return.ts';

/** Bills with what is shown beside them: wallet, payee, the employee, and who acted. */
export function selectBills(reader: Reader) {
  return reader
    .selectFrom('bill')
    .innerJoin('wallet', 'wallet.id', 'bill.walletId')
    .innerJoin('payee', 'payee.id', 'bill.payeeId')
    .innerJoin('appUser as owner', 'owner.id', 'bill.userId')
    .leftJoin('bill as sentBack', 'sentBack.id', 'payee.returnedBillId')
    .leftJoin('appUser as sender', 'sender.id', 'bill.sentBy')
    .leftJoin('appUser as completer', 'completer.id', 'bill.paidBy')
    .leftJoin('appUser as closer', 'closer.id', 'bill.closedBy')
    .selectAll('bill')
    .select([
      // A date would become the moment of its midnight somewhere.
      sql<string>`to_char(bill.pay_on, 'YYYY-MM-DD')`.as('payDay'),
      sql<string | null>`to_char(bill.due_on, 'YYYY-MM-DD')`.as('dueDay'),
      sql<string | null>`to_char(bill.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
      'wallet.type as walletType',
      'wallet.last4 as walletLast4',
      'payee.kind as payeeKind',
      'payee.accountType as payeeAccountType',
      'payee.customerNumber',
      'payee.routingNumber',
      ...RETURN_COLUMNS,
      'owner.employeeNumber',
      'owner.department',
      'owner.name as employeeName',
      'sender.name as senderName',
      'completer.name as completerName',
      'closer.name as closerName',
    ])
    .select(payableFrom('payee.createdAt').as('payableFrom'));
}

export type BillRow = Awaited<ReturnType<ReturnType<typeof selectBills>['execute']>>[number];
