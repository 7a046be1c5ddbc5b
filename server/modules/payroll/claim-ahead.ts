import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { claimLines } from './claim-lines.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';

/** Lines that a transaction has claimed before it locked their batch. */
export interface Claimed {
  /** The batch as it is when it is their turn, unless another poster comes in between. */
  batch: LockedBatch;
  lines: readonly ClaimedLine[];
}

/** A transaction that keeps the people of the next lines locked until it is their turn. */
export interface ClaimedAhead<T> {
  claimed: Promise<Claimed>;
  /** Does the work in it, and commits. */
  finish: (work: Work<T>) => Promise<T>;
  /** Rolls it back. */
  drop: () => Promise<void>;
}

type Work<T> = (tx: Tx, claimed: Claimed) => Promise<T>;

/**
 * Claims the next lines of a batch while the lines before them are being paid. The batch's row is locked by whoever
 * pays those, so it is locked after the people here, and only if it is free: nobody waits for it with people locked.
 */
export function claimAhead<T>(db: Db, batch: LockedBatch, limit: number): ClaimedAhead<T> {
  const ready = Promise.withResolvers<Claimed>();
  const turn = Promise.withResolvers<Work<T>>();
  const done = withTx(db, async (tx) => {
    const claimed = { batch, lines: await claimLines(tx, batch, limit) };
    ready.resolve(claimed);
    const work = await turn.promise;
    return work(tx, claimed);
  });
  done.catch(ready.reject);
  // Whoever drops the lines does not ask for them.
  ready.promise.catch(() => undefined);
  const finish = (work: Work<T>) => {
    turn.resolve(work);
    return done;
  };
  const drop = async () => {
    await finish(() => Promise.reject(new Error('These lines are not paid'))).catch(
      () => undefined,
    );
  };
  return { claimed: ready.promise, finish, drop };
}
