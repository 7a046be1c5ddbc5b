import { settingOf, whoCanWords } from '#contract/duties.ts';
import type { Duty } from '#contract/duties.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { readDuties, refusalBeside, refusalOf, thresholdOf } from './duties.ts';
import type { Refusal } from './duties.ts';

/**
 * Refuses the second step of a duty in force to whoever did the first one, and to whoever cannot be a
 * second person yet.
 *
 * @throws {AppError} `second_person_needed`, naming who may do it and from when
 */
export async function requireSecondPerson(
  reader: Reader,
  { actor }: CommandContext,
  duty: Duty,
  step: Parameters<typeof refusalOf>[3],
): Promise<void> {
  const settings = await readSettings(reader);
  if (thresholdOf(settings, settingOf(duty)) === null) return;
  const refusal = refusalOf(await readDuties(reader), actor.id, duty, step);
  if (refusal !== null) throw secondPersonNeeded(refusal, settings.timeZone);
}

/**
 * Refuses what takes another than those who did the first step, whatever the company's duties are.
 *
 * @throws {AppError} `second_person_needed`, naming who may do it and from when
 */
export async function requireOther(
  reader: Reader,
  { actor }: CommandContext,
  first: Parameters<typeof refusalBeside>[2],
): Promise<void> {
  const duties = await readDuties(reader);
  const refusal = refusalBeside(duties, actor.id, first);
  if (refusal !== null) throw secondPersonNeeded(refusal, duties.settings.timeZone);
}

/** The refusal as a sentence, its moments in the company's time zone. */
function secondPersonNeeded({ why, people }: Refusal, timeZone: string): AppError {
  const named = people.map(({ name, from }) => ({ name, from: from?.toISOString() ?? null }));
  const write = (at: string) => weekdayTime(new Date(at), timeZone);
  return new AppError('second_person_needed', { did: why, who: whoCanWords(named, write) });
}

/** "Sat 4:42 AM EST": these moments are at most three days away. */
function weekdayTime(at: Date, timeZone: string): string {
  const look = {
    timeZone,
    timeZoneName: 'short',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat('en-US', look)
    .format(at)
    .replaceAll('\u202f', ' ')
    .replace(',', '');
}
