import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { notify } from '#server/modules/notifications/index.ts';

interface Change {
  userId: string;
  kind: PersonalKind;
  /** What happened: `Cascade ••2208 was added`. */
  what: string;
  bankAccountId: string;
  at: Date;
}

/**
 * Notifies a person, by mail too, of a change to where their money goes: whoever uses another's session
 * cannot keep it from them.
 */
export function warnOwner(tx: Tx, { userId, kind, what, bankAccountId, at }: Change): void {
  notify(tx, userId, {
    kind,
    message: `${what}. If this was not you, freeze your payouts and change your password.`,
    relatedId: bankAccountId,
    at,
  });
}
