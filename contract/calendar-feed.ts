/** The private address by which the calendar of a person's phone follows paydays. Free of zod. */
import { line } from './rules.ts';

/** Names of the events; the calendar has these words and days, and nothing else. */
export const calendarFeedRules = {
  paydayWords: line(60, 'Enter what a payday is called'),
  arrivalWords: line(60, 'Enter what an arrival is called'),
  billWords: line(60, 'Enter what a bill is called'),
};

/** Initial values of the form. */
export const CALENDAR_FEED_DEFAULTS = {
  paydayWords: 'Payday',
  arrivalWords: 'Money arrives',
  hasArrivals: true,
  billWords: 'Bill is paid',
  hasBills: false,
};

/** Path of calendars, followed by the token and `.ics`. */
export const CALENDAR_FEEDS_PATH = '/calendars/';
