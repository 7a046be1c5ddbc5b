import { dayIn } from '#contract/calendar.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import type { PreparedImage } from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';
import { addDays, localTime } from './calendar.ts';
import type { Random } from './random.ts';
import type { RosterEntry } from './roster.ts';
import type { Timeline } from './timeline.ts';

/** Everything began this many days ago; the oldest payroll is a little over a week younger. */
export const FIRST_DAYS_AGO = 372;
const SEGMENT_DAYS = 28;

export type Specimens = Readonly<Record<KycDocumentType, PreparedImage>>;

/** State that the parts of the demo company share while they plan. */
export interface Story {
  now: Date;
  timeZone: string;
  services: Services;
  timeline: Timeline;
  random: Random;
  /** The images that people hand in. */
  specimens: Specimens;
  /** Two, so that requests and decisions are not all one person's. */
  admins: readonly [CommandContext, CommandContext];
}

/** A person who has joined. */
export interface DemoPerson extends RosterEntry {
  by: CommandContext;
  joinedAt: Date;
  /** Bank account for their withdrawals, once it is verified. */
  bankAccountId: string | null;
}

/** Moment a number of days before today, at a time of the company's day. */
export function daysAgo(story: Story, days: number, time: string): Date {
  return localTime(story.timeZone, addDays(dayIn(story.timeZone, story.now), -days), time);
}

/**
 * The first days of four-week segments from a person's fourth week on: whatever begins in one of
 * them is settled before the last two weeks, which are planned one by one.
 */
export function settledMonths(story: Story, person: DemoPerson): Date[] {
  const first = (person.joinedDaysAgo ?? FIRST_DAYS_AGO) - 24;
  const months: Date[] = [];
  for (let days = first; days >= SEGMENT_DAYS + 18; days -= SEGMENT_DAYS) {
    months.push(daysAgo(story, days, '00:00'));
  }
  return months;
}

/** Some working hour of some day of the four weeks from `month` on. */
export function someTimeIn(story: Story, month: Date): Date {
  return daysAfter(story, month, story.random.int(0, SEGMENT_DAYS - 1));
}

/** Moment a number of days after `from`, during working hours. */
export function daysAfter(story: Story, from: Date, days: number): Date {
  const day = addDays(dayIn(story.timeZone, from), days);
  const hour = String(story.random.int(9, 16)).padStart(2, '0');
  const minute = String(story.random.int(0, 59)).padStart(2, '0');
  return localTime(story.timeZone, day, `${hour}:${minute}`);
}

export function hoursAfter(from: Date, hours: number): Date {
  return new Date(from.getTime() + hours * 3_600_000);
}

export function anyAdmin(story: Story): CommandContext {
  const [first, second] = story.admins;
  return story.random.chance(0.6) ? first : second;
}

/** A person who is part of the story by name. */
export function named(people: readonly DemoPerson[], name: string): DemoPerson {
  return invariant(
    people.find((person) => person.by.actor.name === name),
    `nobody in the demo company is called ${name}`,
  );
}
