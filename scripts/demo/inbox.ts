import type { CommandContext } from '#server/lib/actor.ts';
import { markAllNotificationsRead } from '#server/modules/notifications/index.ts';
import { hoursAfter } from './story.ts';
import type { DemoPerson, Story } from './story.ts';

/** Time of the admins' last visit: later notices are unread. */
export const ADMINS_READ_HOURS_AGO = 5;
const MAYA_READ_HOURS_AGO = 93;
const READERS_SHARE = 0.7;

/** Most people have read their notifications until some days ago; the others never look. */
export function planInbox(story: Story, { by, email }: DemoPerson): void {
  const hoursAgo = 24 * story.random.int(3, 40);
  const reads = story.random.chance(READERS_SHARE);
  if (email === 'maya@purser.test') planReading(story, by, MAYA_READ_HOURS_AGO);
  else if (reads) planReading(story, by, hoursAgo);
}

/** Plans that a person reads all notifications up to then. */
export function planReading(story: Story, by: CommandContext, hoursAgo: number): void {
  story.timeline.at(hoursAfter(story.now, -hoursAgo), (tx) =>
    markAllNotificationsRead(tx, story.services, by),
  );
}
