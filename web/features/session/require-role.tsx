import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { Role } from '#contract/identity.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { FullScreen } from './full-screen.tsx';
import { isAllowedIn, ONBOARDING } from './home.ts';
import { MAX_REDIRECTS, countRedirect, forgetRedirects } from './redirects.ts';
import { SessionError } from './session-error.tsx';
import { useSession } from './use-session.ts';

/**
 * Shows its children to people of the given role. Sends all others to /onboarding, from which a
 * visitor returns after signing in. A path that keeps redirecting shows the access error.
 */
export function RequireRole({ role, children }: { role: Role; children: ReactNode }) {
  const session = useSession();
  const path = useLocation({ select: (location) => location.pathname });
  const place = useLocation({ select: (location) => location.href });
  const user = session.data?.user ?? null;
  const isAllowed = user !== null && isAllowedIn(role, user);
  // The address already names the next screen while this one is being left.
  const isLeaving = !path.startsWith(`/${role}/`);

  useEffect(() => {
    if (isAllowed && !isLeaving) forgetRedirects(path);
  }, [isAllowed, isLeaving, path]);

  if (session.isPending) return <FullScreen message="Authenticating..." />;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  if (isAllowed) {
    if (session.data.mustSetUpTwoFactor) return <Navigate to="/admin/two-factor" replace />;
    const isReady = role === 'admin' || user.employeeId !== null;
    return isReady ? children : <FullScreen message="Preparing session..." />;
  }
  if (isLeaving) return <FullScreen message="Redirecting..." />;
  const back = user === null ? place : undefined;
  return <RedirectAway key={path} from={path} back={back} />;
}

interface RedirectAwayProps {
  from: string;
  /** Path to return to after signing in, with its search and filters. */
  back: string | undefined;
}

function RedirectAway({ from, back }: RedirectAwayProps) {
  const [count] = useState(() => countRedirect(from));
  if (count > MAX_REDIRECTS) return <AccessError />;
  return <Navigate to={ONBOARDING} search={back === undefined ? {} : { return: back }} replace />;
}

function AccessError() {
  return (
    <main className="full-screen">
      <PageTitle>Access Error</PageTitle>
      <p role="alert">Access Error: Unable to verify permissions. Please refresh the page.</p>
      <LinkButton href="/">Return to Home</LinkButton>
    </main>
  );
}
