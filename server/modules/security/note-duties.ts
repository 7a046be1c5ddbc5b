import { DUTY_SETTING_NAMES, DUTY_SETTINGS } from '#contract/duties.ts';
import type { DutySetting } from '#contract/duties.ts';
import { SETTINGS } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { isInForce, readDuties, lastOfNeeded, thresholdOf } from './duties.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Keeps in the database which duties are in force, so that they stay so whoever leaves. Called when
 * settings change, and each minute. Safe to call at any time.
 *
 * @returns those that came into force
 */
export async function noteDuties(tx: Tx, { clock }: Clocked): Promise<DutySetting[]> {
  const duties = await readDuties(tx);
  const off = DUTY_SETTINGS.filter((duty) => thresholdOf(duties.settings, duty) === null);
  if (off.some((duty) => duties.noted.has(duty))) {
    await tx.deleteFrom('dutyInForce').where('duty', 'in', off).execute();
  }
  const reached = DUTY_SETTINGS.filter(
    (duty) => isInForce(duties, duty) && !duties.noted.has(duty),
  );
  if (reached.length === 0) return [];
  const since = clock.now();
  const rows = await tx
    .insertInto('dutyInForce')
    .values(reached.map((duty) => ({ duty, since })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('duty')
    .execute();
  return rows.map(({ duty }) => duty);
}

/** Notifies the administrators of duties that came into force by themselves. */
export async function announceDuties(db: Db, services: Clocked): Promise<void> {
  await withTx(db, async (tx) => {
    const begun = await noteDuties(tx, services);
    if (begun.length === 0) return;
    const second = lastOfNeeded(await readDuties(tx));
    const labels = begun.map((duty) => SETTINGS[DUTY_SETTING_NAMES[duty]].label).join(', ');
    notifyAdmins(tx, {
      kind: 'security-rules-changed',
      message: `In force from now on: ${labels}. ${second?.name ?? 'Another administrator'} can be the second person.`,
      at: services.clock.now(),
    });
    publish(tx, { topic: 'settings', userId: null });
  });
}
