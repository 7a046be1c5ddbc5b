import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { eachAlone } from '#server/lib/each-alone.ts';
import { record } from '#server/modules/journal/index.ts';
import { countFailedRun, takeDueTransfer } from '#server/modules/payroll/index.ts';
import type { DueTransfer } from '#server/modules/payroll/index.ts';
import type { Services } from '#server/services.ts';
import { runAfterLine } from './run-after-line.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * The job `run-transfers`: runs the automatic transfers after each payroll line for which they are due. Each line is a
 * transaction of its own, which deletes the due row and inserts the run, whose key is the line. So a killed process
 * leaves the line due, and several processes run each line once. A line that fails is tried again by the next job, and
 * administrators are notified once it failed three times.
 *
 * @returns number of lines after which transfers ran or were left out
 * @throws AggregateError once all others have run
 */
export async function runTransfers(
  db: Db,
  services: Clocked,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const { succeeds, finish } = eachAlone('runs of automatic transfers failed');
  let done = 0;
  let after: DueTransfer | undefined;
  for (;;) {
    if (signal?.aborted === true) break;
    const taken: { due?: DueTransfer } = {};
    const isDone = await succeeds(() =>
      withTx(db, (tx) => runNext(tx, services, { after, taken })),
    );
    if (isDone) done += 1;
    const { due } = taken;
    if (due === undefined) break;
    if (!isDone) await succeeds(() => withTx(db, (tx) => noteFailure(tx, services, due)));
    after = due;
  }
  finish();
  return done;
}

/** @param options.taken gets the line, also if its run fails */
async function runNext(
  tx: Tx,
  services: Clocked,
  { after, taken }: { after: DueTransfer | undefined; taken: { due?: DueTransfer } },
): Promise<boolean> {
  const due = await takeDueTransfer(tx, after);
  if (due === undefined) {
    delete taken.due;
    return false;
  }
  taken.due = due;
  await lockUser(tx, due.userId);
  await runAfterLine(tx, services, due);
  return true;
}

async function noteFailure(
  tx: Tx,
  { clock }: Clocked,
  { lineId, userId, paidAt }: DueTransfer,
): Promise<boolean> {
  if (!(await countFailedRun(tx, lineId))) return true;
  const plan = await tx
    .selectFrom('payrollLine as line')
    .innerJoin('transferPlan as plan', 'plan.walletId', 'line.walletId')
    .innerJoin('appUser as owner', 'owner.id', 'plan.userId')
    .select(['plan.id', 'owner.name'])
    .where('line.id', '=', lineId)
    .executeTakeFirstOrThrow();
  record(tx, { actor: 'system' }, 'transfer_plan.failing', {
    id: plan.id,
    personId: userId,
    at: clock.now(),
    details: { lineId, paidAt: paidAt.toISOString() },
    words: { employee: plan.name },
  });
  return true;
}
