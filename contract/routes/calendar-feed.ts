import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { calendarFeedRules } from '../calendar-feed.ts';
import { done } from './common.ts';
import { instant, textOf } from './values.ts';
import { defineRoute } from './define.ts';

const choices = namedObject('CalendarChoices', {
  paydayWords: textOf(calendarFeedRules.paydayWords),
  /** Words for withdrawals that are on their way. */
  arrivalWords: textOf(calendarFeedRules.arrivalWords),
  hasArrivals: z.boolean(),
  /** Words for scheduled and standing bills. */
  billWords: textOf(calendarFeedRules.billWords),
  hasBills: z.boolean(),
});

const calendarFeed = choices.extend({
  createdAt: instant,
  /** Exact to the hour. */
  lastReadAt: instant.nullable(),
});

export const calendarFeedRoutes = {
  getCalendarFeed: defineRoute('GET /api/calendar-feed', {
    summary: 'What the calendar of my phone is shown, if I have an address for it',
    access: 'employee',
    topics: ['notifications'],
    reply: z.object({ calendar: calendarFeed.nullable() }),
  }),
  createCalendarFeed: defineRoute('POST /api/calendar-feed', {
    summary: 'Make the private address for my calendar, shown this once; one before it ends',
    access: 'employee',
    confirms: 'recent',
    hourly: 'calendarAddresses',
    changes: { owner: ['notifications'] },
    body: choices,
    reply: calendarFeed.extend({ address: z.url() }),
    status: 201,
  }),
  changeCalendarFeed: defineRoute('PUT /api/calendar-feed', {
    summary: 'Change what my calendar is shown; its address stays',
    access: 'employee',
    changes: { owner: ['notifications'] },
    body: choices,
    reply: calendarFeed,
    errors: ['calendar_feed_not_found'],
  }),
  revokeCalendarFeed: defineRoute('DELETE /api/calendar-feed', {
    summary: 'End the private address of my calendar',
    access: 'employee',
    changes: { owner: ['notifications'] },
    reply: done,
    errors: ['calendar_feed_not_found'],
  }),
};
