import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { lockSettings, readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { areBooksSound } from './queries.ts';

/**
 * Sets whether payouts stop while the books are not sound. It takes effect immediately: stopped
 * payouts continue when it is switched off, and payouts stop when it is switched on while there is
 * a problem.
 */
export async function updateBooksRules(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { stopPayoutsWhenUnsound }: { stopPayoutsWhenUnsound: boolean },
): Promise<void> {
  // A concurrent end of a run is decided before or after this, not in between.
  await lockSettings(tx);
  const settings = await readSettings(tx);
  if (settings.stopPayoutsWhenUnsound !== stopPayoutsWhenUnsound) {
    const mustStop = stopPayoutsWhenUnsound && !(await areBooksSound(tx));
    await updateSettings(tx, services, by, {
      stopPayoutsWhenUnsound,
      payoutsStoppedAt: mustStop ? services.clock.now() : null,
    });
  }
}
