import { sql } from 'kysely';
import type { RouteReply, StandingBill } from '#contract/api.ts';
import { MAX_STANDING_BILLS } from '#contract/bills.ts';
import { errorSentence } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { presentReturn, RETURN_COLUMNS } from './payee-return.ts';

/** A person's standing bills that have not ended, the next one first; at most MAX_STANDING_BILLS. */
export async function listStandingBills(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listStandingBills'>> {
  const rows = await selectStandingBills(reader)
    .where('standingBill.userId', '=', userId)
    .where('standingBill.endedAt', 'is', null)
    .orderBy('standingBill.nextOn')
    .orderBy('standingBill.id')
    .execute();
  const cannotAdd =
    rows.length < MAX_STANDING_BILLS
      ? null
      : errorSentence('standing_bill_limit', { most: MAX_STANDING_BILLS });
  return { items: rows.map(presentStandingBill), cannotAdd };
}

/** One standing bill, whoever's. */
export async function loadStandingBill(reader: Reader, id: string): Promise<StandingBill> {
  const row = await selectStandingBills(reader)
    .where('standingBill.id', '=', id)
    .executeTakeFirstOrThrow();
  return presentStandingBill(row);
}

function selectStandingBills(reader: Reader) {
  return reader
    .selectFrom('standingBill')
    .innerJoin('wallet', 'wallet.id', 'standingBill.walletId')
    .innerJoin('payee', 'payee.id', 'standingBill.payeeId')
    .leftJoin('bill as sentBack', 'sentBack.id', 'payee.returnedBillId')
    .select(['standingBill.id', 'standingBill.amountMinor', 'standingBill.currency'])
    .select(['standingBill.memo', 'standingBill.frequency', 'standingBill.refusal'])
    .select(['standingBill.createdAt', 'standingBill.walletId', 'standingBill.payeeId'])
    .select(['wallet.type as walletType', 'wallet.last4 as walletLast4'])
    .select([
      ...RETURN_COLUMNS,
      // A date would become the moment of its midnight somewhere.
      sql<string>`to_char(standing_bill.starts_on, 'YYYY-MM-DD')`.as('startDay'),
      sql<string | null>`to_char(standing_bill.ends_on, 'YYYY-MM-DD')`.as('endDay'),
      sql<string | null>`to_char(standing_bill.next_on, 'YYYY-MM-DD')`.as('nextDay'),
      sql<string>`coalesce(payee.name, '')`.as('payeeName'),
      sql<string>`coalesce(payee.last4, '')`.as('payeeLast4'),
    ]);
}

type StandingBillRow = Awaited<
  ReturnType<ReturnType<typeof selectStandingBills>['execute']>
>[number];

function presentStandingBill(row: StandingBillRow): StandingBill {
  return {
    id: row.id,
    payee: {
      id: row.payeeId,
      name: row.payeeName,
      last4: row.payeeLast4,
      returned: presentReturn(row),
    },
    amount: money(row.amountMinor, row.currency),
    walletId: row.walletId,
    walletName: WALLET_LABELS[row.walletType],
    walletLast4: row.walletLast4,
    memo: row.memo,
    frequency: row.frequency,
    startsOn: row.startDay,
    endsOn: row.endDay,
    nextOn: row.nextDay,
    refusal: row.refusal,
    createdAt: row.createdAt.toISOString(),
  };
}
