import type { KeyObject } from 'node:crypto';
import { isAcceptedRestore } from '#server/lib/root-store.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { StartError } from '#server/lib/start-error.ts';
import { signRestore } from '#server/modules/ledger/index.ts';
import type { Verification } from '#server/modules/ledger/index.ts';
import { atRoots } from '#server/programs/at-roots.ts';

/** Checks a restored database cannot pass: newer roots are missing, and nothing has been sealed since. */
export const EXPECTED: ReadonlySet<string> = new Set(['exported-root', 'sealing-age']);

/**
 * Records an operator's decision that the chain goes on from where a restored backup ends. It is
 * refused unless the database is sound in itself and holds every exported root up to its end: then it
 * is an older state of the same history, and nothing else.
 *
 * @returns what was recorded, for the operator
 * @throws {StartError} saying why it is refused
 */
export async function acceptRestore(
  { problems, roots, head }: Verification,
  restore: { height: bigint; reason: string },
  { ownKey, store }: { ownKey: KeyObject | undefined; store: RootStore },
): Promise<string> {
  if (ownKey?.type !== 'private') {
    throw new StartError(
      'Nothing is recorded: the decision is signed with the ledger key, and there is none here.',
    );
  }
  const end = head?.height ?? 0n;
  if (restore.height !== end) {
    throw new StartError(
      `Nothing is recorded: the database ends with block ${end}, not with block ${restore.height}.`,
    );
  }
  if (roots.contradictions > 0n || problems.some(({ check }) => !EXPECTED.has(check))) {
    throw new StartError(
      'Nothing is recorded: this is not an older backup of the same history. What is wrong is named above.',
    );
  }
  if (roots.lost.count === 0n) {
    throw new StartError(
      'Nothing is recorded: no exported root is missing, so there is nothing to accept.',
    );
  }
  const now = new Date();
  const { newestHeight, newestSealedAt } = roots.lost;
  const decision = signRestore(
    {
      height: end,
      root: head?.root ?? '0'.repeat(64),
      lostHeight: newestHeight,
      // This machine's clock may be behind the one that sealed; the decision is about all of them.
      acceptedAt: newestSealedAt > now ? newestSealedAt : now,
      reason: restore.reason,
    },
    ownKey,
  );
  const newest = await atRoots(store, 'Nothing is recorded', async () => {
    await store.append(decision);
    return store.newest();
  });
  if (newest === undefined || !isAcceptedRestore(newest)) {
    throw new StartError(
      `The decision was written to ${store.place} and is not what is read there.`,
    );
  }
  return `Recorded in ${store.place}: the ledger goes on from block ${end}; blocks up to ${decision.lostHeight} are given up. A running server goes on by itself within seconds.`;
}
