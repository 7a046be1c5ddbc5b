import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { Slots } from '#server/lib/slots.ts';

/** Runs a money request of a person, or of an API key, when it is its turn. */
export type TakeTurn = <T>(principalId: string, request: () => Promise<T>) => Promise<T>;

/**
 * Lets one person have a few money requests in progress in this process, so that theirs alone never hold all
 * connections to the database. Further ones wait in order, up to a number; the rest is refused.
 *
 * @returns throws AppError `too_many_requests`, and `unavailable` after waiting too long
 */
export function createTurns(): TakeTurn {
  const { inProgress, most, waitMs } = LIMITS.moneyRequests;
  const people = new Map<string, { slots: Slots; count: number }>();
  return async (principalId, request) => {
    const own = people.get(principalId) ?? { slots: new Slots(inProgress, waitMs), count: 0 };
    if (own.count >= most) throw new AppError('too_many_requests', { retryAfterS: 1 });
    people.set(principalId, own);
    own.count += 1;
    try {
      return await own.slots.run(request);
    } finally {
      own.count -= 1;
      if (own.count === 0) people.delete(principalId);
    }
  };
}
