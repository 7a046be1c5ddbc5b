import { whoCanWords } from '#contract/duties.ts';
import type { Separation } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { readDuties, refusalOf, thresholdOf } from './duties.ts';
import type { Refusal, Step } from './duties.ts';

/**
 * Refuses an act to an administrator who did the earlier one, and to one who cannot be a second person yet.
 *
 * @throws {AppError} `second_person_needed`, naming who may do it and from when
 */
export async function requireSecondPerson(
  reader: Reader,
  { actor }: CommandContext,
  separation: Omit<Separation, 'after'>,
  step: Step,
): Promise<void> {
  const settings = await readSettings(reader);
  const { rule } = separation;
  if (rule !== 'always' && thresholdOf(settings, rule) === null) return;
  const refusal = refusalOf(await readDuties(reader), actor.id, separation, step);
  if (refusal !== null) throw secondPersonNeeded(refusal, settings.timeZone);
}

/** The refusal as a sentence, its moments in the company's time zone. */
export function secondPersonNeeded({ why, people }: Refusal, timeZone: string): AppError {
  const named = people.map(({ name, from }) => ({ name, from: from?.toISOString() ?? null }));
  const write = (at: string) => writeMoment(new Date(at), timeZone, 'weekday');
  return new AppError('second_person_needed', { did: why, who: whoCanWords(named, write) });
}
