import { sql } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { PayoutKind } from '#contract/payouts.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { lockRows } from './items.ts';
import { drawAmounts } from './micro-deposits.ts';
import { readPayables } from './payable.ts';
import { fileOf, Lots } from './ready.ts';
import type { Payable } from './payable.ts';
import type { SameDay } from './same-day.ts';

type Clocked = Pick<Services, 'clock'>;
type Body = RouteArguments<'adminMakePayoutFile'>['body'];
export type Chosen = Pick<Body, 'withdrawalIds' | 'billIds'> & Partial<Body>;

/** A payment that was chosen for a file, in the few facts that are kept of each of 100,000 until the file is written. */
interface ChosenPayment {
  id: string;
  kind: PayoutKind;
  /** 1 or 2 of a micro-deposit; null otherwise. */
  depositNumber: number | null;
  amountMinor: bigint;
}

export type ChosenLot = ReturnType<ReturnType<typeof newLots>['inOrder']>[number];
const newLots = () => new Lots(() => ({ payments: new Array<ChosenPayment>(), totalMinor: 0n }));

/**
 * Locks the chosen requests in the order of their ids, or all that could be ready, and refuses the file if one of them
 * cannot be paid now.
 *
 * @returns the batches of the file, with the payments of each
 * @throws {AppError} `payouts_changed`, `payouts_stopped`, `withdrawal_not_found`, `bill_not_found`, `bank_account_not_found`;
 *   `payout_item_not_ready`, naming the payment
 */
export async function choosePayments(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { sameDay, ...chosen }: Chosen & { sameDay: SameDay | null },
): Promise<ChosenLot[]> {
  const { withdrawalIds, billIds, bankAccountIds = [], all = null } = chosen;
  const locked = (ids: readonly string[], status: string) =>
    all === null ? sql`id = ANY (${ids}::uuid[])` : sql`status = ${status}`;
  await lockRows(tx, {
    withdrawal: locked(withdrawalIds, 'approved'),
    bill: locked(billIds, 'due'),
    bank_account: locked(bankAccountIds, 'pending'),
  });
  const settings = await readSettings(tx);
  const lots = newLots();
  const add = (payable: Payable) => addPayments(lots, onSameDay(payable, sameDay));
  if (all !== null) {
    const payables = readPayables(tx, services, { by, settings });
    const isChosen = fileOf(all);
    const sum = { count: 0, totalMinor: 0n };
    let areStopped = false;
    for await (const payable of each(payables)) {
      areStopped ||= payable.reason === 'stopped';
      if (!isChosen(payable)) continue;
      sum.count += 1;
      sum.totalMinor += payable.amountMinor;
      add(payable);
    }
    const isAsSeen = sum.count === all.count && String(sum.totalMinor) === all.total.minor;
    if (sum.count === 0 || !isAsSeen) {
      const hasLess = sum.count < all.count;
      throw new AppError(areStopped && hasLess ? 'payouts_stopped' : 'payouts_changed');
    }
    return lots.inOrder();
  }
  const ids = [...new Set([...withdrawalIds, ...billIds, ...bankAccountIds])];
  const found = new Map<string, Payable>();
  for await (const payable of each(readPayables(tx, services, { by, settings, ids }))) {
    found.set(payable.id, payable);
    add(payable);
  }
  refuseMissing(found, withdrawalIds, 'withdrawal_not_found', ['withdrawal']);
  refuseMissing(found, billIds, 'bill_not_found', ['bill']);
  const proofs = ['prenote', 'micro_deposit'] as const;
  refuseMissing(found, bankAccountIds, 'bank_account_not_found', proofs);
  for (const { refusal, reference } of found.values()) {
    if (refusal === null) continue;
    throw new AppError('payout_item_not_ready', { reference, why: refusal });
  }
  return lots.inOrder();
}

async function* each<One>(chunks: AsyncIterable<One[]>): AsyncGenerator<One, void> {
  for await (const chunk of chunks) yield* chunk;
}

/** @throws {AppError} `code` if one of the ids is no payment of these kinds */
function refuseMissing(
  found: ReadonlyMap<string, Payable>,
  ids: readonly string[],
  code: ErrorCode,
  kinds: readonly PayoutKind[],
): void {
  const isFound = (id: string) => kinds.some((kind) => kind === found.get(id)?.kind);
  if (!ids.every(isFound)) throw new AppError(code);
}

/** Payments to people arrive on the same day, except for those of more than the bank takes. */
function onSameDay(payable: Payable, sameDay: SameDay | null): Payable {
  const isToday =
    sameDay !== null && payable.payees === 'people' && payable.amountMinor <= sameDay.mostMinor;
  return isToday ? { ...payable, effectiveOn: sameDay.day } : payable;
}

/** Adds the entries of a payment to its lot: two of micro-deposits, whose amounts are drawn here. */
function addPayments(lots: ReturnType<typeof newLots>, payable: Payable): void {
  const lot = lots.of(payable);
  const { id, kind } = payable;
  const isDeposited = kind === 'micro_deposit';
  const amounts = isDeposited ? drawAmounts() : [payable.amountMinor];
  for (const [place, amountMinor] of amounts.entries()) {
    lot.payments.push({ id, kind, depositNumber: isDeposited ? place + 1 : null, amountMinor });
    lot.totalMinor += amountMinor;
  }
}
