import { Navigate } from '@tanstack/react-router';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { homeOf } from '#web/features/session/home.ts';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';

/** `/`: sends everyone on by state. */
export function IndexPage() {
  const session = useSession();
  if (session.isPending) return <FullScreen message="Initializing..." />;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  return (
    <>
      <FullScreen message="Redirecting..." />
      <Navigate to={homeOf(session.data)} replace />
    </>
  );
}
