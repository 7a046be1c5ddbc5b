import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { Currency } from '#contract/money.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkCurrency, checkPayDate } from '../order.ts';
import { addNamed, fillIn } from './fill-in.ts';
import { copyParts } from './parts.ts';
import { getPayrollDraft } from './rows.ts';

type Body = RouteArguments<'adminCreatePayrollDraft'>['body'];

/**
 * Begins a payroll, with the people and amounts of another draft or payroll if asked to copy one.
 *
 * @throws {AppError} `amount_invalid`, also where amounts in another currency are copied, `pay_date_past`,
 *   `payroll_draft_same_amount`, `person_not_found`, `payroll_draft_not_found`, `payroll_not_found`
 */
export async function createPayrollDraft(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  body: Body,
): Promise<PayrollDraft> {
  const settings = await readSettings(tx);
  const now = clock.now();
  const { walletType, department, payOn, description, hasOwnAmounts, startFrom } = body;
  const today = dayIn(settings.timeZone, now);
  checkPayDate(payOn, today);
  if (startFrom !== undefined) checkHasOwn(hasOwnAmounts);
  const id = newId(now.getTime());
  await tx
    .insertInto('payrollDraft')
    .values({
      id,
      status: 'open',
      walletType,
      department,
      payOn,
      description,
      hasOwnAmounts,
      amountMinor: hasOwnAmounts ? null : minorOf(body.amount, settings.currency),
      currency: settings.currency,
      createdBy: by.actor.id,
      createdAt: now,
      changedBy: by.actor.id,
      updatedAt: now,
      amountsBy: by.actor.id,
    })
    .execute();
  await addPeople(tx, {
    id,
    people: body.people,
    copyOf: body.copyOf,
    currency: settings.currency,
    minor: hasOwnAmounts ? minorOf(body.amount, settings.currency) : null,
  });
  if (body.copyOf !== undefined && 'draft' in body.copyOf) {
    await copyParts(tx, { from: body.copyOf.draft, to: id, by: by.actor.id, at: now });
  }
  if (startFrom !== undefined) {
    await fillIn(tx, settings, { id, walletType, department, startFrom, on: payOn ?? today });
  }
  journal(tx, by, payrollDraft, 'create', {
    id,
    at: now,
    details: { walletType, department, hasOwnAmounts, ...body.copyOf },
  });
  return getPayrollDraft(tx, settings, id);
}

/** Refuses to fill in amounts where everyone gets the same. @throws {AppError} `payroll_draft_same_amount` */
export function checkHasOwn(hasOwnAmounts: boolean): void {
  if (!hasOwnAmounts) throw new AppError('payroll_draft_same_amount');
}

/** Minor units of an amount that was typed; null if none was. @throws {AppError} `amount_invalid` */
export function minorOf(
  amount: { minor: string; currency: Currency } | null,
  currency: Currency,
): bigint | null {
  if (amount === null) return null;
  checkCurrency(amount.currency, currency);
  return BigInt(amount.minor);
}

/**
 * @param minor minor units for each of `people`; null for none yet
 * @throws {AppError} `person_not_found`, `payroll_draft_not_found`, `payroll_not_found`, `amount_invalid`
 */
async function addPeople(
  tx: Tx,
  {
    id,
    people = [],
    copyOf,
    currency,
    minor,
  }: Pick<Body, 'people' | 'copyOf'> & { id: string; currency: Currency; minor: bigint | null },
): Promise<void> {
  if (copyOf !== undefined) {
    await addNamed(tx, id, await copied(tx, copyOf, currency));
    return;
  }
  if (people.length === 0) return;
  const known = await tx
    .selectFrom('appUser')
    .select(sql<number>`count(*)::integer`.as('people'))
    .where(sql<boolean>`id = ANY (${people}::uuid[])`)
    .where('isEmployee', '=', true)
    .executeTakeFirstOrThrow();
  if (known.people !== people.length) throw new AppError('person_not_found');
  const chosen = sql`SELECT user_id, ${minor}::bigint AS amount_minor, NULL::jsonb AS breakdown
                       FROM unnest(${people}::uuid[]) AS chosen (user_id)`;
  await addNamed(tx, id, chosen);
}

/** SQL of the people of another draft or payroll, with the amounts, which have to be in that currency. */
async function copied(
  tx: Tx,
  copyOf: NonNullable<Body['copyOf']>,
  wanted: Currency,
): Promise<RawBuilder<unknown>> {
  if ('draft' in copyOf) {
    const draft = await tx
      .selectFrom('payrollDraft')
      .select('currency')
      .where('id', '=', copyOf.draft)
      .executeTakeFirst();
    if (draft === undefined) throw new AppError('payroll_draft_not_found');
    checkCurrency(draft.currency, wanted);
    return sql`SELECT user_id, amount_minor, breakdown FROM payroll_draft_person
                WHERE draft_id = ${copyOf.draft}`;
  }
  const batch = await tx
    .selectFrom('payrollBatch')
    .select('currency')
    .where('id', '=', copyOf.batch)
    .where('fundingType', 'is', null)
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  checkCurrency(batch.currency, wanted);
  // The provider computed the breakdown of that payday, not of the next one.
  return sql`SELECT user_id, amount_minor, NULL::jsonb AS breakdown
               FROM payroll_line WHERE batch_id = ${copyOf.batch}`;
}
