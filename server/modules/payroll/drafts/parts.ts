import { sql } from 'kysely';
import type { PayrollDraft } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkCurrency } from '../order.ts';
import { addNamed, fillIn } from './fill-in.ts';
import { lockPayroll } from './lock-draft.ts';
import type { LockedDraft } from './lock-draft.ts';
import { getPayrollDraft } from './rows.ts';

/**
 * Lets a draft pay another type of wallet as well. The part has amounts from where those of the draft are: from usual pay
 * or the last payroll, or none yet. It names the people who were chosen.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`, `amount_invalid` where the company has another
 *   currency by now, `invalid_request` for a type that the payroll pays already
 */
export async function addDraftWallet(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, walletType }: { id: string; walletType: WalletType },
): Promise<PayrollDraft> {
  const settings = await readSettings(tx);
  const { all } = await lockPayroll(tx, id, 'save');
  const whole = invariant(all[0], 'a payroll has its draft');
  checkCurrency(whole.currency, settings.currency);
  checkOtherType(all, walletType);
  const at = clock.now();
  const partId = await addPart(tx, settings, whole, { walletType, by: by.actor.id, at });
  await tx
    .updateTable('payrollDraft')
    .set({ version: whole.version + 1, changedBy: by.actor.id, updatedAt: at })
    .where('id', '=', whole.id)
    .execute();
  const details = { walletType, partOf: whole.id };
  journal(tx, by, payrollDraft, 'create', { id: partId, at, details });
  return getPayrollDraft(tx, settings, partId);
}

/** Refuses a type of wallet that a payroll pays already. @throws {AppError} `invalid_request` */
export function checkOtherType(
  others: readonly Pick<LockedDraft, 'walletType'>[],
  walletType: WalletType,
): void {
  if (others.every((other) => other.walletType !== walletType)) return;
  const message = 'This payroll pays that type of wallet already';
  throw new AppError('invalid_request', {}, [{ path: 'walletType', message }]);
}

interface Part {
  walletType: WalletType;
  /** The administrator who adds it. */
  by: string;
  at: Date;
}

/** @returns the id of the part */
async function addPart(
  tx: Tx,
  settings: CompanySettings,
  whole: LockedDraft,
  { walletType, by, at }: Part,
): Promise<string> {
  const id = newId(at.getTime());
  const { department, payOn, description, currency, startedFrom } = whole;
  await tx
    .insertInto('payrollDraft')
    .values({
      id,
      status: 'open',
      walletType,
      department,
      payOn,
      description,
      currency,
      hasOwnAmounts: true,
      createdBy: by,
      createdAt: at,
      changedBy: by,
      updatedAt: at,
      amountsBy: by,
      partOf: whole.id,
    })
    .execute();
  if (department === 'chosen') {
    const chosen = sql`SELECT user_id, NULL::bigint AS amount_minor, NULL::jsonb AS breakdown
                         FROM payroll_draft_person WHERE draft_id = ${whole.id}`;
    await addNamed(tx, id, chosen);
  }
  if (startedFrom === 'usual' || startedFrom === 'last') {
    const on = payOn ?? dayIn(settings.timeZone, at);
    await fillIn(tx, settings, { id, walletType, department, startFrom: startedFrom, on });
  }
  return id;
}

/** Copies the parts of a draft to another one: their amounts, with the pay date and the people's description of the copy. */
export async function copyParts(
  tx: Tx,
  { from, to, by, at }: { from: string; to: string; by: string; at: Date },
): Promise<void> {
  const { rows } = await sql<{ id: string; of: string }>`
    INSERT INTO payroll_draft (id, status, wallet_type, department, pay_on, description, has_own_amounts, amount_minor,
      currency, started_from, created_by, created_at, changed_by, updated_at, amounts_by, part_of)
    SELECT gen_random_uuid(), 'open', part.wallet_type, copy.department, copy.pay_on, copy.description,
           part.has_own_amounts, part.amount_minor, part.currency, part.started_from, ${by}::uuid, ${at}, ${by}::uuid,
           ${at}, ${by}::uuid, copy.id
      FROM payroll_draft AS copy
      JOIN payroll_draft AS whole ON whole.id = ${from}
      JOIN payroll_draft AS part ON part.part_of = whole.id AND part.status = whole.status
     WHERE copy.id = ${to} AND part.wallet_type <> copy.wallet_type
    RETURNING id, (SELECT part.id FROM payroll_draft AS part JOIN payroll_draft AS whole ON whole.id = part.part_of
                    WHERE part.part_of = ${from} AND part.status = whole.status
                      AND part.wallet_type = payroll_draft.wallet_type) AS "of"`.execute(tx);
  for (const { id, of } of rows) {
    const named = sql`SELECT user_id, amount_minor, breakdown FROM payroll_draft_person WHERE draft_id = ${of}`;
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await addNamed(tx, id, named);
  }
}
