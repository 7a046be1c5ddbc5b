import { actsOf } from '#server/modules/acts/index.ts';
import { usualPayChanges } from './change.ts';
import { readUsualPay } from './queries.ts';

/** The acts of a change that somebody does without a form. */
export const usualPayActs = actsOf(usualPayChanges, {
  admin: async (tx, services, { actor }, id) => {
    const { userId } = await tx
      .selectFrom('usualPayChange')
      .select('userId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return readUsualPay(tx, services, actor, userId);
  },
});
