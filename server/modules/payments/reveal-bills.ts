import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { BILL_TO_PAY } from '#contract/bills.ts';
import { money } from '#contract/money.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { loadBill } from './bill-queries.ts';
import { payeeNumberPlace } from './outside-payees.ts';

type Vaulted = Pick<Services, 'vault'>;

/**
 * The whole account number that a bill is paid to, for the admin who pays it. Written to its payer's
 * access log.
 *
 * @throws {AppError} `bill_not_found`
 */
export async function revealPayee(
  tx: Tx,
  services: Vaulted,
  by: CommandContext,
  billId: string,
): Promise<{ accountNumber: string }> {
  const { payeeId, userId } = await loadBill(tx, billId);
  const { accountNumberEncrypted: sealed } = await tx
    .selectFrom('payee')
    .select('accountNumberEncrypted')
    .where('id', '=', payeeId)
    .executeTakeFirstOrThrow();
  const accountNumber = await unsealPayeeNumber(tx, services, { id: payeeId, userId, sealed });
  record(tx, by, 'payee.revealed', { id: payeeId, personId: userId });
  return { accountNumber };
}

/**
 * The whole account numbers of bills that are to be paid, in the order asked for. Each payee is written to
 * its payer's access log.
 *
 * @throws {AppError} `bill_not_found`, `bill_wrong_status` when one of them is not to be paid now,
 *   `data_destroyed`
 */
export async function revealBills(
  tx: Tx,
  services: Vaulted,
  by: CommandContext,
  ids: readonly string[],
): Promise<RouteReply<'adminRevealBills'>> {
  const rows = await tx
    .selectFrom('bill')
    .innerJoin('payee', 'payee.id', 'bill.payeeId')
    .innerJoin('appUser as payer', 'payer.id', 'bill.userId')
    .select(['bill.id', 'bill.reference', 'bill.status', 'bill.userId', 'bill.payeeId'])
    .select(['bill.amountMinor', 'bill.currency', 'bill.payeeName'])
    .select(['payee.accountType', 'payee.routingNumber', 'payee.accountNumberEncrypted'])
    .select(['payer.name as employeeName', 'payer.employeeNumber'])
    .where(sql<boolean>`bill.id = ANY (${ids}::uuid[])`)
    .execute();
  const accounts: RouteReply<'adminRevealBills'>['accounts'] = [];
  const recorded = new Set<string>();
  for (const id of new Set(ids)) {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new AppError('bill_not_found');
    const { status, userId, payeeId } = row;
    if (!BILL_TO_PAY.some((one) => one === status)) {
      throw new AppError('bill_wrong_status', { status });
    }
    const account = { id: payeeId, userId, sealed: row.accountNumberEncrypted };
    accounts.push({
      id,
      reference: row.reference,
      employee: { id: userId, name: row.employeeName, employeeId: row.employeeNumber },
      amount: money(row.amountMinor, row.currency),
      accountHolderName: row.payeeName,
      bankName: null,
      accountType: invariant(row.accountType, 'a payee without an account'),
      routingNumber: invariant(row.routingNumber, 'a payee without an account'),
      accountNumber: await unsealPayeeNumber(tx, services, account),
    });
    if (!recorded.has(payeeId)) record(tx, by, 'payee.revealed', { id: payeeId, personId: userId });
    recorded.add(payeeId);
  }
  return { accounts };
}

interface SealedPayee {
  id: string;
  /** The payer's id. */
  userId: string;
  sealed: Buffer | null;
}

/** The whole account number of a payee. @throws {AppError} `data_destroyed` */
async function unsealPayeeNumber(
  tx: Reader,
  { vault }: Vaulted,
  { id, userId, sealed }: SealedPayee,
): Promise<string> {
  const number = invariant(sealed, 'a payee without a number');
  return (await vault.open(tx, userId, payeeNumberPlace(id), number)).toString('utf8');
}
