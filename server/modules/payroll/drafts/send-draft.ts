import type { PayrollBatch, PayrollPreview, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkCurrency, checkPayDate } from '../order.ts';
import type { PayrollOrder } from '../order.ts';
import { previewOrder } from '../preview-payroll.ts';
import type { Previewed } from '../preview-payroll.ts';
import { sendOrder } from '../send-payroll.ts';
import { doneToDraft } from './draft.ts';
import { lockDraft } from './lock-draft.ts';
import type { LockedDraft } from './lock-draft.ts';

type Ordered = Pick<
  LockedDraft,
  | ('id' | 'walletType' | 'department' | 'payOn' | 'description')
  | ('hasOwnAmounts' | 'amountMinor' | 'currency')
>;

/**
 * The order of a draft.
 *
 * @throws {AppError} `payroll_draft_unfinished` while it has no description or no amount, `pay_date_past`, and
 *   `amount_invalid` when the company has another currency by now
 */
function orderOf(draft: Ordered, settings: CompanySettings, now: Date): PayrollOrder {
  const { walletType, department, payOn, description, currency, amountMinor } = draft;
  if (description === '') throw new AppError('payroll_draft_unfinished', { what: 'a description' });
  if (!draft.hasOwnAmounts && amountMinor === null) {
    throw new AppError('payroll_draft_unfinished', { what: 'an amount' });
  }
  checkCurrency(currency, settings.currency);
  checkPayDate(payOn, dayIn(settings.timeZone, now));
  const isNamed = draft.hasOwnAmounts || department === 'chosen';
  const draftId = isNamed ? draft.id : null;
  return { walletType, department, payOn, description, currency, amountMinor, draftId };
}

/**
 * People whom a draft would pay now; changes nothing.
 *
 * @throws {AppError} as `previewOrder`, and `payroll_draft_not_found`, `payroll_draft_not_open`,
 *   `payroll_draft_unfinished`
 */
export async function previewPayrollDraft(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { id, readerId }: { id: string; readerId: string },
): Promise<PayrollPreview> {
  return previewOrder(reader, { ...(await orderOfDraft(reader, services, id)), readerId });
}

/**
 * The order of an open draft now.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`, and as `orderOf`
 */
export async function orderOfDraft(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  id: string,
): Promise<Previewed> {
  const draft = await reader
    .selectFrom('payrollDraft')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (draft === undefined) throw new AppError('payroll_draft_not_found');
  const { status } = draft;
  if (status !== 'open') throw new AppError('payroll_draft_not_open', { status });
  const settings = await readSettings(reader);
  const now = clock.now();
  return { order: orderOf(draft, settings, now), settings, now, amountsBy: draft.amountsBy };
}

/**
 * Confirms a previewed draft, once: of two who send it one sends it, and what changed since its preview makes
 * the hash another.
 *
 * @throws {AppError} as `sendPayroll`, and `payroll_draft_not_found`, `payroll_draft_not_open`,
 *   `payroll_draft_unfinished`
 */
export async function sendPayrollDraft(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, ...seen }: RouteArguments<'adminSendPayrollDraft'>['body'] & { id: string },
): Promise<PayrollBatch> {
  const draft = await lockDraft(tx, id, 'send');
  const settings = await readSettings(tx);
  const order = orderOf(draft, settings, services.clock.now());
  const batch = await sendOrder(tx, services, by, {
    ...{ order, settings, ...seen, amountsBy: draft.amountsBy },
    details: { draftId: id },
  });
  await doneToDraft(tx, services, by, { id, sentBatchId: batch.id });
  return { ...batch, note: draft.note };
}
