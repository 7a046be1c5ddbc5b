import { can } from '#contract/can.ts';
import { legalIn } from '#contract/things/thing.ts';
import type { DecidedAct } from '#contract/things/thing.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { byWalletType } from '#server/modules/wallets/index.ts';

const draftCan = legalIn(payrollDraft);

export function findLocked(tx: Tx, id: string) {
  return (
    tx
      .selectFrom('payrollDraft')
      .selectAll()
      // A draft that was prepared by Purser has nobody whom it belongs to.
      .select(({ fn }) => fn.coalesce('createdBy', 'id').as('userId'))
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
  );
}

export type LockedDraft = NonNullable<Awaited<ReturnType<typeof findLocked>>>;

/** A locked draft with the others of its payroll. */
export interface LockedPayroll {
  draft: LockedDraft;
  /** The draft that the others are parts of, and these by type of wallet: `draft` is one of them. */
  all: readonly LockedDraft[];
}

/** Open parts of a draft, in the order in which they are locked. */
export function openPartsOf(tx: Tx, wholeId: string): Promise<{ id: string }[]> {
  return tx
    .selectFrom('payrollDraft')
    .select('id')
    .where('partOf', '=', wholeId)
    .where('status', '=', 'open')
    .orderBy(byWalletType('wallet_type'))
    .orderBy('id')
    .execute();
}

/**
 * Locks a draft, the draft that it is a part of, and the other parts until the end of the transaction, in one order.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`
 */
export async function lockPayroll(
  tx: Tx,
  id: string,
  act: DecidedAct<typeof payrollDraft>,
): Promise<LockedPayroll> {
  const found = await tx
    .selectFrom('payrollDraft')
    .select('partOf')
    .where('id', '=', id)
    .executeTakeFirst();
  const whole = await lockDraft(tx, found?.partOf ?? id, act);
  const all = [whole];
  for (const part of await openPartsOf(tx, whole.id)) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    all.push(await lockDraft(tx, part.id, act));
  }
  const draft = all.find((one) => one.id === id) ?? (await lockDraft(tx, id, act));
  return { draft, all };
}

/**
 * Locks a draft until the end of the transaction.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`
 */
export async function lockDraft(
  tx: Tx,
  id: string,
  act: DecidedAct<typeof payrollDraft>,
): Promise<LockedDraft> {
  const draft = await findLocked(tx, id);
  if (draft === undefined) throw new AppError('payroll_draft_not_found');
  if (!can(draftCan, act, draft.status)) {
    throw new AppError('payroll_draft_not_open', { status: draft.status });
  }
  return draft;
}
