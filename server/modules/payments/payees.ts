import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { errorSentence } from '#contract/errors.ts';
import { MAX_PAYEES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { whyCannotPay } from './check-payer.ts';

interface PayeeRow {
  id: string;
  name: string;
  email: string;
  paidAt: Date | null;
  amountMinor: bigint | null;
  currency: Currency | null;
}

/**
 * Whom a person saved, by name, and what they paid them last, at most `MAX_PAYEES`; and why nothing can
 * be paid now, so that a screen says it before anything is filled in.
 */
export async function listPayees(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  userId: string,
): Promise<RouteReply<'listPayees'>> {
  const settings = await readSettings(reader);
  const refusal = await whyCannotPay(reader, settings, { userId, now: clock.now() });
  const { rows } = await sql<PayeeRow>`
    SELECT payee.id, colleague.name, colleague.email,
           last.paid_at, last.amount_minor, last.currency
      FROM payee
      JOIN app_user AS colleague ON colleague.id = payee.colleague_id
      LEFT JOIN LATERAL (
        SELECT paid_at, amount_minor, currency FROM person_payment
         WHERE payer_id = payee.user_id AND recipient_id = payee.colleague_id
         ORDER BY paid_at DESC LIMIT 1) AS last ON true
     WHERE payee.user_id = ${userId} AND payee.removed_at IS NULL
     ORDER BY lower(colleague.name), payee.id`.execute(reader);
  return {
    cannotPay:
      refusal === null
        ? null
        : { code: refusal.code, message: errorSentence(refusal.code, refusal.details) },
    items: rows.map(({ id, name, email, paidAt, amountMinor, currency }) => ({
      ...{ id, name, email },
      lastPaid:
        paidAt === null || amountMinor === null || currency === null
          ? null
          : { at: paidAt.toISOString(), amount: money(amountMinor, currency) },
    })),
  };
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
    .where('removedAt', 'is', null)
    .execute();
  if (saved.some((payee) => payee.colleagueId === colleagueId)) return;
  if (saved.length >= MAX_PAYEES) throw new AppError('payee_limit', { most: MAX_PAYEES });
  await tx
    .insertInto('payee')
    .values({ id: newId(at.getTime()), userId, colleagueId, createdAt: at })
    .execute();
}

/**
 * Removes one of the person's own saved payees. What was paid stays.
 *
 * @throws {AppError} `payee_not_found`, also for another person's
 */
export async function removePayee(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<{ ok: true }> {
  const removed = await tx
    .updateTable('payee')
    .set({ removedAt: clock.now() })
    .where('id', '=', id)
    .where('userId', '=', by.actor.id)
    .where('removedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) throw new AppError('payee_not_found');
  recordAudit(tx, {
    by,
    action: 'payee.removed',
    subjectType: 'payee',
    subjectId: id,
    personId: by.actor.id,
  });
  publish(tx, { topic: 'payments', userId: by.actor.id });
  return { ok: true };
}
