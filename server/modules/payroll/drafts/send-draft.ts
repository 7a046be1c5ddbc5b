import type { PayrollBatch, PayrollPreview, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { PREVIEW_LINES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { byWalletType } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { periodNow, presentAlreadyPaid } from '../already-paid.ts';
import { secondPersonOf } from '../approval.ts';
import { checkCurrency, checkPayDate, presentLimits } from '../order.ts';
import type { PayrollOrder } from '../order.ts';
import { previewOrder } from '../preview-payroll.ts';
import type { OrderPreview, Previewed } from '../preview-payroll.ts';
import { getPayrollBatch } from '../queries.ts';
import { presentDeducted } from '../recoveries/expected-instalments.ts';
import { batchName, payPeriod } from '../rules.ts';
import { sendOrder } from '../send-payroll.ts';
import { hashTogether, readPaidTogether, sendTogether } from '../send-together.ts';
import { doneToDraft } from './draft.ts';
import { lockPayroll } from './lock-draft.ts';
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
 * People whom a draft would pay now; changes nothing. One with parts is previewed together with them.
 *
 * @throws {AppError} as `previewOrder`, and `payroll_draft_not_found`, `payroll_draft_not_open`,
 *   `payroll_draft_unfinished`
 */
export async function previewPayrollDraft(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { id, readerId }: { id: string; readerId: string },
): Promise<PayrollPreview> {
  const ids = await draftsOf(reader, id);
  const ordered: Previewed[] = [];
  const each: OrderPreview[] = [];
  for (const [at, draftId] of ids.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    ordered.push(await orderOfDraft(reader, services, draftId));
    const one = invariant(ordered[at], 'it was just read');
    // oxlint-disable-next-line no-await-in-loop -- one after another
    if (ids.length > 1) await checkPaysSomebody(reader, draftId, one.order);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    each.push(await previewOrder(reader, { ...one, readerId }));
  }
  const [first] = each;
  if (first !== undefined && each.length === 1) return first.preview;
  return previewTogether(reader, { ids, ordered, each, readerId });
}

/** Ids of a draft and of its parts, the draft first; of a part that alone. */
export async function draftsOf(reader: Reader, id: string): Promise<string[]> {
  const parts = await reader
    .selectFrom('payrollDraft')
    .select('id')
    .where('partOf', '=', id)
    .where('status', '=', 'open')
    .orderBy(byWalletType('wallet_type'))
    .execute();
  return [id, ...parts.map((part) => part.id)];
}

/** Refuses a part without any amount, which would be an order of nobody. @throws {AppError} `payroll_draft_unfinished` */
async function checkPaysSomebody(
  reader: Reader,
  draftId: string,
  { amountMinor, walletType }: PayrollOrder,
): Promise<void> {
  if (amountMinor !== null) return;
  const somebody = await reader
    .selectFrom('payrollDraftPerson')
    .select('userId')
    .where('draftId', '=', draftId)
    .where('amountMinor', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (somebody !== undefined) return;
  const what = `an amount for ${WALLET_LABELS[walletType]}`;
  throw new AppError('payroll_draft_unfinished', { what });
}

interface PreviewedTogether {
  ids: readonly string[];
  ordered: readonly Previewed[];
  each: readonly OrderPreview[];
  readerId: string;
}

/** The previews of all types of wallet of a payroll as one. */
async function previewTogether(
  reader: Reader,
  { ids, ordered, each, readerId }: PreviewedTogether,
): Promise<PayrollPreview> {
  const previews = each.map(({ preview }) => preview);
  const orders = ordered.map(({ order }) => order);
  const { settings, now, order } = invariant(ordered[0], 'a payroll has its draft');
  const { currency } = order;
  const paid = await readPaidTogether(reader, { orders, settings, now });
  const totalMinor = previews.reduce((sum, { total }) => sum + BigInt(total.minor), 0n);
  const count = (of: (preview: PayrollPreview) => number) =>
    previews.reduce((sum, preview) => sum + of(preview), 0);
  const wallets = previews.map(({ wallets: _, ...preview }, at) => ({
    ...preview,
    draftId: ids[at] ?? '',
    walletType: orders[at]?.walletType ?? order.walletType,
  }));
  return {
    hash: hashTogether(wallets),
    batchName: batchName({ payOn: order.payOn }, now, settings.timeZone),
    payPeriod: payPeriod(order.payOn, now, settings.timeZone),
    employeeCount: paid.people,
    payableCount: count(({ payableCount }) => payableCount),
    skippedCount: count(({ skippedCount }) => skippedCount),
    total: money(totalMinor, currency),
    payable: previews.flatMap(({ payable }) => payable).slice(0, PREVIEW_LINES),
    skipped: previews.flatMap(({ skipped }) => skipped).slice(0, PREVIEW_LINES),
    skippedReasons: previews.flatMap(({ skippedReasons }) => skippedReasons),
    recentBatch: previews.find(({ recentBatch }) => recentBatch !== null)?.recentBatch ?? null,
    alreadyPaid: presentAlreadyPaid(paid, periodNow(settings, now), currency),
    cancelSeconds: settings.payrollCancelSeconds,
    differences: null,
    lastTotal: null,
    limits: presentLimits({ ...paid, totalMinor, currency }, settings),
    deducted: presentDeducted(
      each.map(({ deducted }) => deducted),
      currency,
    ),
    secondPerson: await secondPersonOf(reader, settings, {
      sender: readerId,
      totalMinor,
      amountsBy: ordered.map(({ amountsBy }) => amountsBy),
    }),
    wallets,
  };
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
 * the hash another. One with parts becomes a batch for each type of wallet, all of them or none.
 *
 * @throws {AppError} as `sendPayroll`, and `payroll_draft_not_found` also for a part, `payroll_draft_not_open`,
 *   `payroll_draft_unfinished`
 */
export async function sendPayrollDraft(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, ...seen }: RouteArguments<'adminSendPayrollDraft'>['body'] & { id: string },
): Promise<PayrollBatch> {
  const { draft, all } = await lockPayroll(tx, id, 'send');
  if (draft.partOf !== null) throw new AppError('payroll_draft_not_found');
  const settings = await readSettings(tx);
  const confirmed = all.map((one) => ({
    order: orderOf(one, settings, services.clock.now()),
    amountsBy: one.amountsBy,
    details: { draftId: one.id },
  }));
  const [first] = confirmed;
  if (first !== undefined && all.length === 1) {
    const batch = await sendOrder(tx, services, by, { ...first, settings, ...seen });
    await doneToDraft(tx, services, by, { id, sentBatchId: batch.id });
    return { ...batch, note: draft.note };
  }
  const batchIds = await sendTogether(tx, services, by, confirmed, { settings, ...seen });
  for (const [at, one] of all.entries()) {
    const sentBatchId = invariant(batchIds[at], 'a batch for each draft');
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await doneToDraft(tx, services, by, { id: one.id, sentBatchId });
  }
  return getPayrollBatch(tx, batchIds[0] ?? '', by.actor.id);
}
