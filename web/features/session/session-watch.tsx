import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '#web/api/client.ts';
import { isPersonAway } from '#web/api/presence.ts';
import { lockPage } from '#web/api/session-lock.ts';
import { useIsPageLocked } from '#web/api/use-page-lock.ts';
import { announceSession, onSessionNews } from './other-tabs.ts';
import { SessionWarning } from './session-warning.tsx';
import { sessionQuery } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';
import { watchSessionEnd, type SessionEnd, type SessionEndWatch } from './watch-end.ts';

/**
 * Delay after the end before the server is asked. Another tab may have extended the session
 * unnoticed.
 */
const PROBE_MS = 1_500;

/**
 * Warns a minute before the session ends, and locks the page when it does. Mounted once, at the
 * root of the app.
 */
export function SessionWatch() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const isLocked = useIsPageLocked();
  const userId = session?.user?.id;
  return userId === undefined || isLocked ? null : <Watch key={userId} />;
}

function Watch() {
  const queryClient = useQueryClient();
  const signOut = useSignOut();
  const watch = useRef<SessionEndWatch>(null);
  const [end, setEnd] = useState<SessionEnd>();

  useEffect(() => {
    const watching = watchSessionEnd({
      ask: (isBackground) => call('getSessionEnd', {}, { isBackground }),
      isPersonAway,
      onNear: setEnd,
      onEnd: () => {
        lockPage();
        const ask = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
        setTimeout(ask, PROBE_MS);
      },
    });
    watch.current = watching;
    const unfollow = onSessionNews((news) => {
      if (news === 'extended') void watching.look({ isStaying: false });
    });
    return () => {
      watching.stop();
      unfollow();
    };
  }, [queryClient]);

  async function stay(): Promise<void> {
    await watch.current?.look({ isStaying: true });
    announceSession('extended');
  }

  return end === undefined ? null : (
    <SessionWarning
      end={end}
      onStay={() => void stay()}
      onLogOut={() => signOut.mutate()}
      isLoggingOut={signOut.isPending}
    />
  );
}
