import { useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { MarketingPanel } from '#web/features/marketing/marketing-panel.tsx';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { ONBOARDING, returnPath } from '#web/features/session/home.ts';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { Authentication } from './authentication.tsx';

/** Most visitors only sign in: the seven other steps are loaded by those who fill them in. */
const Wizard = lazy(async () => {
  const { OnboardingSteps } = await import('./onboarding-steps.tsx');
  return { default: OnboardingSteps };
});

const LOADING = <FullScreen message="Loading your application..." />;

/**
 * `/onboarding`: signing up and in, then the application. Whoever has none to fill in is sent on by
 * state.
 */
export function OnboardingPage() {
  const session = useSession();
  const search = useSearch({ from: '/onboarding' });
  if (session.isPending) return LOADING;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  if (session.data.user !== null) {
    const next = returnPath(search.return, session.data);
    if (next !== ONBOARDING) return <SentOn to={next} />;
    return (
      <Suspense fallback={LOADING}>
        <Wizard session={session.data} user={session.data.user} />
      </Suspense>
    );
  }
  return (
    <main className="split">
      <div className="split__form">
        <Wordmark />
        <div className="signup">
          <Authentication
            resetToken={search.reset}
            confirmToken={search.confirm}
            asked={search.mode}
          />
        </div>
      </div>
      <MarketingPanel />
    </main>
  );
}

/** Leads on, once: while the next screen loads, the address that named it is gone already. */
function SentOn({ to }: { to: string }) {
  const [href] = useState(to);
  const router = useRouter();
  useEffect(() => void router.navigate({ href, replace: true }), [router, href]);
  return null;
}
