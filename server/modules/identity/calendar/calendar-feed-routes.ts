import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import {
  changeCalendarFeed,
  createCalendarFeed,
  getCalendarFeed,
  revokeCalendarFeed,
} from './calendar-feeds.ts';
import type { Identity } from '../identity.ts';

type CalendarFeedRoute =
  | 'getCalendarFeed'
  | 'createCalendarFeed'
  | 'changeCalendarFeed'
  | 'revokeCalendarFeed';

/** The private address by which the calendar of a person's phone follows paydays. */
export function calendarFeedHandlers({
  services: { clock },
  url,
}: Pick<Identity, 'services' | 'url'>): Pick<Handlers, CalendarFeedRoute> {
  return {
    getCalendarFeed: query((db, { actor }) => getCalendarFeed(db, actor.id)),
    createCalendarFeed: command((tx, by, { body }) =>
      createCalendarFeed(tx, { clock, url }, by, body),
    ),
    changeCalendarFeed: command((tx, by, { body }) => changeCalendarFeed(tx, by, body)),
    revokeCalendarFeed: doneAfter((tx, by) => revokeCalendarFeed(tx, by)),
  };
}
