import { useQuery } from '@tanstack/react-query';
import type { Role } from '#contract/identity.ts';
import { apiQuery } from '#web/api/query.ts';
import { CalendarSheet } from '#web/features/notifications/calendar-sheet.tsx';
import { EmailPreferences } from '#web/features/notifications/email-preferences.tsx';
import { Inbox } from '#web/features/notifications/inbox.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { badgeCount } from '#web/lib/format.ts';

/** The notifications of both areas: what a person is mailed, and all that they were notified of. */
export function NotificationsScreen({ area }: { area: Role }) {
  const email = useSession().data?.user?.email ?? '';
  const shell = useQuery(apiQuery('getShell', {}));
  const all = useQuery(apiQuery('countNotifications', { query: {} }));
  const preferences = useQuery(apiQuery('getEmailPreferences', {}));
  const unread = shell.data?.unreadNotifications ?? 0;
  const rest = all.data?.total === 0 ? 'Nothing yet' : 'All read';
  const isKnown = shell.isSuccess && all.isSuccess;
  return (
    <>
      <ScreenHead subtitle={unread > 0 ? `${badgeCount(unread)} unread` : isKnown ? rest : ' '} />
      <div className="inbox-screen">
        <EmailPreferences area={area} email={email} />
        <Inbox unread={unread} />
        {/* Comes after what is over it, which would move it otherwise. */}
        {area === 'employee' && !preferences.isPending && <CalendarSheet />}
      </div>
    </>
  );
}
