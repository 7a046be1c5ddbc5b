export { readCalendar } from './read-calendar.ts';
export { activityHandlers } from './routes.ts';
