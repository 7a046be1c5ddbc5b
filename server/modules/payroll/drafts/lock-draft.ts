import { can } from '#contract/can.ts';
import { legalIn } from '#contract/things/thing.ts';
import type { DecidedAct } from '#contract/things/thing.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

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
