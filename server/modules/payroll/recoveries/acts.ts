import { actsOf } from '#server/modules/acts/index.ts';
import type { Recovery } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { readRecoveries } from './read-recoveries.ts';
import { recoveries } from './recovery.ts';

/** The acts of a recovery that somebody does without a form. */
export const recoveryActs = actsOf(recoveries, {
  admin: (tx, services, by, id) => readOne(tx, services, by, { id, as: 'admin' }),
  owner: (tx, services, by, id) => readOne(tx, services, by, { id, as: 'owner' }),
});

async function readOne(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  { actor }: CommandContext,
  { id, as }: { id: string; as: 'admin' | 'owner' },
): Promise<Recovery> {
  const [one] = await readRecoveries(tx, services, { actor, as }, { id });
  return invariant(one, 'a recovery stays');
}
