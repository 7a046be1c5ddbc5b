import type { AdminBill, Bill, RailStep } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { bill } from '#contract/things/bill.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import { stepsOf } from '#server/modules/acts/index.ts';
import { presentReturn } from './payee-return.ts';
import type { BillRow } from './bill-rows.ts';

type Shown = BillRow & Pick<Bill, 'acts'>;

export function presentBill(row: Shown): Bill {
  return {
    id: row.id,
    reference: row.reference,
    status: row.status,
    amount: money(row.amountMinor, row.currency),
    walletId: row.walletId,
    walletName: WALLET_LABELS[row.walletType],
    walletLast4: row.walletLast4,
    payee: presentPayee(row),
    memo: row.memo,
    payOn: row.payDay,
    dueOn: row.dueDay,
    rejectionReason: row.rejectionReason,
    transactionReference: row.transactionReference,
    leftBankOn: row.leftBankDay,
    bankReference: row.bankReference,
    scheduledAt: row.requestedAt.toISOString(),
    history: billHistory(row),
    resends: row.resends,
    resentAs: row.resentAs,
    acts: row.acts,
  };
}

export function presentAdminBill(row: Shown): AdminBill {
  return {
    ...presentBill(row),
    employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
    routingNumber: invariant(row.routingNumber, 'a bill to nobody outside'),
    payableFrom: row.payableFrom?.toISOString() ?? null,
  };
}

function presentPayee(row: BillRow): Bill['payee'] {
  const { payeeKind: kind, payeeId: id, payeeName: name, payeeLast4: last4 } = row;
  if (kind === 'colleague') throw new InvariantError('a bill to a colleague');
  return {
    id,
    name,
    kind,
    last4,
    accountType: invariant(row.payeeAccountType, 'a payee without an account'),
    customerNumber: row.customerNumber ?? '',
    returned: presentReturn(row),
  };
}

/** The steps from the day it was scheduled on. */
function billHistory(row: BillRow): RailStep[] {
  const { requestedAt, employeeName: by } = row;
  return stepsOf(bill, row, { status: 'scheduled', at: requestedAt.toISOString(), by });
}
