import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { eachAlone } from '#server/lib/each-alone.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { destroyEnded, peopleWithEnded } from './destroy-ended.ts';
import { destroyFile, sweptFiles } from './destroy-file.ts';

const DAY_MS = 86_400_000;

/**
 * Destroys what is past its time: identity material whose retention has ended, and files that no
 * document rests on. Safe to run anywhere, any time, and to be killed. What fails keeps nothing else
 * from being destroyed, and is left to the next sweep.
 *
 * @returns how many people's material and how many files were destroyed
 * @throws AggregateError once all that could be destroyed is
 */
export async function sweepIdentity(
  db: Db,
  services: Services,
): Promise<{ people: number; files: number }> {
  const { kycRetentionDays } = await readSettings(db);
  const endedBefore = new Date(services.clock.now().getTime() - kycRetentionDays * DAY_MS);
  const { succeeds, finish } = eachAlone('could not be destroyed');
  let people = 0;
  for (const userId of await peopleWithEnded(db, endedBefore)) {
    const destroy = () =>
      withTx(db, (tx) => destroyEnded(tx, services, { userId, endedBefore })).then(() => true);
    if (await succeeds(destroy)) people += 1;
  }
  let files = 0;
  for await (const id of sweptFiles(db, services)) {
    if (await succeeds(() => destroyFile(db, services, id))) files += 1;
  }
  finish();
  return { people, files };
}
