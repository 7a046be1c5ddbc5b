import type { BankAccount } from '#contract/api.ts';
import { BANKING_ZONE, dayIn } from '#contract/calendar.ts';
import { formatDay } from '#web/lib/format.ts';

/** Words for a prenote that has to end before the account can be verified. */
interface OpenPrenote {
  what: string;
  /** Explanation for the owner of the account. */
  note: string;
}

/** The prenote of an account in words; null without one, and once its bank can no longer send it back. */
export function openPrenote(
  { prenote }: Pick<BankAccount, 'prenote'>,
  nowMs = Date.now(),
): OpenPrenote | null {
  if (prenote === null) return null;
  const { verifiableFrom } = prenote;
  if (verifiableFrom === null) {
    return {
      what: 'Waiting for a prenote',
      note: 'Your company first sends an entry of $0.00, so that your bank checks the numbers',
    };
  }
  const from = new Date(verifiableFrom);
  if (from.getTime() <= nowMs) return null;
  const day = formatDay(dayIn(BANKING_ZONE, from), 'short');
  return {
    what: 'Prenote sent',
    note: `Your bank can send it back before ${day}. An administrator verifies the account after that`,
  };
}
