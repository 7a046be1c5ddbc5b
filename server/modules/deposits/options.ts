import type { DepositOptions } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPOSIT_METHODS, DEPOSIT_METHOD_IDS } from '#contract/deposits.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { phoneNumberOf } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { requestedOn } from './daily-limit.ts';
import { instructionsFor } from './instructions.ts';

/** The methods that are offered to a person, and what is left of each one's daily limit. */
export async function getDepositOptions(
  reader: Reader,
  services: Pick<Services, 'clock' | 'vault'>,
  { userId }: { userId: string },
): Promise<DepositOptions> {
  const settings = await readSettings(reader);
  const limitDay = dayIn(settings.timeZone, services.clock.now());
  const spent = await requestedOn(reader, { userId, limitDay });
  const phone = await phoneNumberOf(reader, services, userId);
  // The instructions exist or not whatever the name is.
  const facts = { settings, personName: '', phone };
  const offered = DEPOSIT_METHOD_IDS.filter((method) => instructionsFor(method, facts) !== null);
  return {
    methods: offered.map((id) => {
      const leftMinor = DEPOSIT_METHODS[id].dailyMinor - (spent.get(id) ?? 0n);
      return { id, leftToday: money(leftMinor < 0n ? 0n : leftMinor, settings.currency) };
    }),
  };
}
