import { newId } from '#server/lib/ids.ts';

/** A posting of two entries that moves money from one account to another. */
export function transfer(from: string, to: string, amountMinor: bigint, kind = 'transfer') {
  const id = newId();
  return {
    id,
    kind,
    reference: `T-${id}`,
    description: 'A transfer',
    actorId: null,
    subjectId: null,
    entries: [
      { accountId: from, amountMinor: -amountMinor },
      { accountId: to, amountMinor },
    ],
  };
}
