import { sql } from 'kysely';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkCurrency, checkPayDate } from '../order.ts';
import { checkHasOwn, minorOf } from './create-draft.ts';
import { fillIn } from './fill-in.ts';
import { lockPayroll } from './lock-draft.ts';
import type { LockedDraft } from './lock-draft.ts';
import { checkOtherType } from './parts.ts';
import { getPayrollDraft, PURSER } from './rows.ts';

type Body = RouteArguments<'adminSavePayrollDraft'>['body'];

/**
 * Changes what a draft orders. A save that was made from an older version than the draft has is refused and changes
 * nothing: the reply names who changed it last, and how many amounts changed since. Amounts are in the currency of the
 * draft; one of before the company changed its currency is not filled in, nor sent.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`, `payroll_draft_changed`, `amount_invalid`,
 *   `pay_date_past`, `person_not_found`, `payroll_draft_same_amount`, `invalid_request` for a type of wallet that another
 *   part of the payroll pays
 */
export async function savePayrollDraft(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, ...body }: Body & { id: string },
): Promise<PayrollDraft> {
  const settings = await readSettings(tx);
  const now = clock.now();
  const { draft, all } = await lockPayroll(tx, id, 'save');
  await checkVersion(tx, draft, body.version);
  const others = all.filter((one) => one.id !== id);
  const { name, note, walletType, department, payOn, description, hasOwnAmounts } = body;
  const paysOthers = [
    body.people,
    body.amount,
    body.startFrom,
    walletType,
    department,
    hasOwnAmounts,
  ];
  const today = dayIn(settings.timeZone, now);
  if (payOn !== undefined) checkPayDate(payOn, today);
  if (walletType !== undefined) checkOtherType(others, walletType);
  const isOwn = hasOwnAmounts ?? draft.hasOwnAmounts;
  const amountMinor =
    body.amount === undefined ? draft.amountMinor : minorOf(body.amount, draft.currency);
  await tx
    .updateTable('payrollDraft')
    .set({
      name,
      note,
      walletType,
      department,
      payOn,
      description,
      hasOwnAmounts,
      amountMinor: isOwn ? null : amountMinor,
      ...(!isOwn && { startedFrom: null }),
      version: draft.version + 1,
      changedBy: by.actor.id,
      updatedAt: now,
      ...(paysOthers.some((one) => one !== undefined) && { amountsBy: by.actor.id }),
    })
    .where('id', '=', id)
    .execute();
  if (body.startFrom !== undefined) {
    checkHasOwn(isOwn);
    checkCurrency(draft.currency, settings.currency);
    await fillIn(tx, settings, {
      id,
      startFrom: body.startFrom,
      walletType: walletType ?? draft.walletType,
      department: department ?? draft.department,
      on: (payOn === undefined ? draft.payOn : payOn) ?? today,
    });
  }
  await savePeople(tx, { ...body, draft });
  await saveInCommon(tx, others, {
    set: { department, payOn, description },
    by: by.actor.id,
    at: now,
  });
  return getPayrollDraft(tx, settings, id);
}

interface InCommon {
  set: Pick<Body, 'department' | 'payOn' | 'description'>;
  by: string;
  at: Date;
}

/** Saves what the drafts of one payroll have in common in the others, too. */
async function saveInCommon(
  tx: Tx,
  others: readonly LockedDraft[],
  { set, by, at }: InCommon,
): Promise<void> {
  const isCommon = Object.values(set).some((value) => value !== undefined);
  if (others.length === 0 || !isCommon) return;
  await tx
    .updateTable('payrollDraft')
    .set({ ...set, changedBy: by, updatedAt: at })
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .$if(set.department !== undefined, (query) => query.set({ amountsBy: by }))
    .where(
      'id',
      'in',
      others.map(({ id }) => id),
    )
    .execute();
}

async function savePeople(
  tx: Tx,
  { draft, people = [] }: Body & { draft: LockedDraft },
): Promise<void> {
  if (people.length === 0) return;
  const removed = people.filter(({ amount }) => amount === 'removed').map(({ id }) => id);
  const kept = people.flatMap(({ id, amount }) =>
    amount === 'removed' ? [] : [{ id, minor: minorOf(amount, draft.currency) }],
  );
  await sql`DELETE FROM payroll_draft_person
             WHERE draft_id = ${draft.id} AND user_id = ANY (${removed}::uuid[])`.execute(tx);
  const { numAffectedRows } = await sql`
    INSERT INTO payroll_draft_person AS named (draft_id, user_id, amount_minor, version)
    SELECT ${draft.id}, person.id, typed.minor, ${draft.version + 1}
      FROM unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ minor }) => minor)}::bigint[])
             AS typed (user_id, minor)
      JOIN app_user AS person ON person.id = typed.user_id AND person.is_employee
        ON CONFLICT (draft_id, user_id)
        DO UPDATE SET amount_minor = excluded.amount_minor, version = excluded.version`.execute(tx);
  if (numAffectedRows !== BigInt(kept.length)) {
    throw new AppError('person_not_found');
  }
}

/**
 * Refuses what was made from an older version than the draft has, naming who changed it last and how many amounts changed
 * since.
 *
 * @throws {AppError} `payroll_draft_changed`
 */
export async function checkVersion(tx: Tx, draft: LockedDraft, seenVersion: number): Promise<void> {
  if (draft.version === seenVersion) return;
  const { rows } = await sql<{ who: string; amounts: number }>`
    SELECT coalesce((SELECT name FROM app_user WHERE id = ${draft.changedBy}), ${PURSER}) AS who,
           (SELECT count(*)::integer FROM payroll_draft_person
             WHERE draft_id = ${draft.id} AND version > ${seenVersion}) AS amounts`.execute(tx);
  throw new AppError('payroll_draft_changed', invariant(rows[0], 'an administrator stays'));
}
