import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Payee, RouteReply } from '#contract/api.ts';
import type { BankAccountType } from '#contract/bank-accounts.ts';
import { errorSentence } from '#contract/errors.ts';
import { MAX_PAYEES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { rowHash } from '#server/db/row-hash.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { whyCannotPay } from './check-payer.ts';
import { endStandingBillsTo } from './end-standing-bills.ts';
import { presentReturn } from './payee-return.ts';
import type { ReturnRow } from './payee-return.ts';

interface PayeeRow extends ReturnRow {
  id: string;
  isSaved: boolean;
  kind: Payee['kind'];
  name: string;
  email: string | null;
  accountType: BankAccountType | null;
  last4: string | null;
  routingNumber: string | null;
  customerNumber: string | null;
  paidAt: Date | null;
  amountMinor: bigint | null;
  currency: Currency | null;
}

/**
 * Payees that a person saved, by name, and what they paid them last, at most `MAX_PAYEES`; and why nothing can
 * be paid now, so that a screen says it before anything is filled in. One that was not saved is listed
 * while it has to be confirmed after a returned bill.
 */
export async function listPayees(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  userId: string,
): Promise<RouteReply<'listPayees'>> {
  const settings = await readSettings(reader);
  const refusal = await whyCannotPay(reader, settings, { userId, now: clock.now() });
  const rows = await selectPayees(
    reader,
    sql`payee.user_id = ${userId} AND payee.removed_at IS NULL
        AND (payee.is_saved OR payee.returned_bill_id IS NOT NULL)`,
  );
  return {
    cannotPay:
      refusal === null
        ? null
        : { code: refusal.code, message: errorSentence(refusal.code, refusal.details) },
    cannotSave:
      rows.filter(({ isSaved }) => isSaved).length < MAX_PAYEES
        ? null
        : errorSentence('payee_limit', { most: MAX_PAYEES }),
    items: rows.map(presentPayee),
  };
}

/** One payee, whoever's. */
export async function loadPayee(reader: Reader, id: string): Promise<Payee> {
  const [row] = await selectPayees(reader, sql`payee.id = ${id}`);
  return presentPayee(invariant(row, `no payee ${id}`));
}

/** Payees by name. A changed payee is another row: earlier payments are found by its account. */
async function selectPayees(reader: Reader, which: RawBuilder<unknown>): Promise<PayeeRow[]> {
  const { rows } = await sql<PayeeRow>`
    SELECT payee.id, payee.is_saved, payee.kind, coalesce(colleague.name, payee.name) AS name, colleague.email,
           payee.account_type, payee.last4, payee.routing_number, payee.customer_number,
           coalesce(payment.paid_at, paid.paid_at) AS paid_at,
           coalesce(payment.amount_minor, paid.amount_minor) AS amount_minor,
           coalesce(payment.currency, paid.currency) AS currency,
           sent_back.reference AS returned_reference, sent_back.amount_minor AS returned_minor,
           sent_back.currency AS returned_currency, sent_back.moved_at AS returned_at,
           sent_back.rejection_reason AS returned_reason
      FROM payee
      LEFT JOIN bill AS sent_back ON sent_back.id = payee.returned_bill_id
      LEFT JOIN app_user AS colleague ON colleague.id = payee.colleague_id
      LEFT JOIN LATERAL (
        SELECT paid_at, amount_minor, currency FROM person_payment
         WHERE payer_id = payee.user_id AND recipient_id = payee.colleague_id
         ORDER BY paid_at DESC LIMIT 1) AS payment ON true
      LEFT JOIN LATERAL (
        SELECT moved_at AS paid_at, amount_minor, currency FROM bill
         WHERE payee_id = payee.id AND status = 'paid'
         ORDER BY requested_at DESC LIMIT 1) AS paid ON true
     WHERE ${which}
     ORDER BY lower(coalesce(colleague.name, payee.name)), payee.id`.execute(reader);
  return rows;
}

function presentPayee(row: PayeeRow): Payee {
  const { id, kind, name, email, paidAt, amountMinor, currency } = row;
  const { accountType: type, last4, routingNumber, customerNumber } = row;
  return {
    id,
    kind,
    name,
    email,
    account:
      type === null || last4 === null || routingNumber === null
        ? null
        : { type, last4, routingNumber, customerNumber: customerNumber ?? '' },
    lastPaid:
      paidAt === null || amountMinor === null || currency === null
        ? null
        : { at: paidAt.toISOString(), amount: money(amountMinor, currency) },
    returned: presentReturn(row),
  };
}

/**
 * SQL of the hash over all that a payee outside is paid by, for a table of that name or alias. It is
 * recorded when the payee is entered, so that the row can be compared with it.
 */
export function payeeHash(table: string): RawBuilder<string> {
  return rowHash(table, {
    values: [
      'id',
      'user_id',
      'kind',
      'name',
      'account_type',
      'last4',
      'routing_number',
      'customer_number',
    ],
    bytes: ['account_number_encrypted'],
  });
}

/**
 * Saves a colleague to be paid again; nothing is done for one who is saved already. The person's row
 * has been locked.
 *
 * @throws {AppError} `payee_limit`
 */
export async function saveColleague(
  tx: Tx,
  { userId, colleagueId, at }: { userId: string; colleagueId: string; at: Date },
): Promise<void> {
  const saved = await tx
    .selectFrom('payee')
    .select('colleagueId')
    .where('userId', '=', userId)
    .where('isSaved', '=', true)
    .where('removedAt', 'is', null)
    .execute();
  if (saved.some((payee) => payee.colleagueId === colleagueId)) return;
  if (saved.length >= MAX_PAYEES) throw new AppError('payee_limit', { most: MAX_PAYEES });
  await tx
    .insertInto('payee')
    .values({ id: newId(at.getTime()), userId, kind: 'colleague', colleagueId, createdAt: at })
    .execute();
}

/**
 * Removes one of the person's own saved payees, and ends the standing bills to them. What was paid stays,
 * and what is scheduled is paid.
 *
 * @throws {AppError} `payee_not_found`, also for another person's
 */
export async function removePayee(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  const at = clock.now();
  await lockUser(tx, by.actor.id);
  const removed = await tx
    .updateTable('payee')
    .set({ removedAt: at })
    .where('id', '=', id)
    .where('userId', '=', by.actor.id)
    .where('removedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) throw new AppError('payee_not_found');
  await endStandingBillsTo(tx, by, { payeeId: id, at });
  record(tx, by, 'payee.removed', { id, personId: by.actor.id });
}
