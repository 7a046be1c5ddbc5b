import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { notify } from '#server/modules/notifications/index.ts';

interface Change {
  kind: PersonalKind;
  /** What happened, without the full stop: `Your password was changed`. */
  what: string;
  at: Date;
}

/**
 * Notifies a person of a change to how they sign in, in the inbox and by mail: whoever uses another's
 * session cannot keep it from them.
 */
export function warnOwner(
  tx: Tx,
  { id, role, isAlsoEmployee }: Pick<Actor, 'id' | 'role' | 'isAlsoEmployee'>,
  { kind, what, at }: Change,
): void {
  const help =
    role === 'employee' || isAlsoEmployee === true
      ? 'freeze your payouts and change your password'
      : 'change your password and let another administrator know';
  notify(tx, id, {
    kind,
    message: `${what}. If this was not you, ${help}.`,
    relatedId: id,
    at,
  });
}
