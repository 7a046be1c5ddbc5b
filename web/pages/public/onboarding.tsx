import { lazyRouteComponent, useRouter, useSearch } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '#contract/api.ts';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { ConfirmEmail } from '#web/features/identity/sign-in/confirm-email.tsx';
import { ReportNotMe } from '#web/features/identity/security/report-not-me.tsx';
import { MarketingPanel } from '#web/features/marketing/marketing-panel.tsx';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { ONBOARDING, returnPath } from '#web/features/session/home.ts';
import { useKeptSession, useTakeSignedIn } from '#web/features/session/kept-session.tsx';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { Authentication } from './authentication.tsx';

/** Most visitors only sign in: the seven other steps are loaded by those who fill them in. */
const Wizard = lazyRouteComponent(() => import('./onboarding-steps.tsx'), 'OnboardingSteps');

/** Opened by few. */
const InviteTask = lazyRouteComponent(
  () => import('#web/features/identity/invites/invite-task.tsx'),
  'InviteTask',
);

/** Loads what the page of a user who is signed in shows, so that it shows immediately. */
export async function loadWizard(): Promise<void> {
  await Wizard.preload?.();
}

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
  if (LINKS.some((name) => search[name] !== undefined)) {
    return (
      <Split>
        <MailedLink {...search} />
      </Split>
    );
  }
  if (search.invite !== undefined) {
    return (
      <Split>
        <Invitation token={search.invite} session={session.data} />
      </Split>
    );
  }
  // A link to choose a password is opened whoever is signed in here.
  if (session.data.user !== null && search.reset === undefined) {
    const next = returnPath(search.return, session.data);
    if (next !== ONBOARDING) return <SentOn to={next} />;
    return (
      <Suspense fallback={LOADING}>
        <Wizard session={session.data} user={session.data.user} />
      </Suspense>
    );
  }
  return (
    <Split>
      <Authentication
        session={session.data}
        resetToken={search.reset}
        confirmToken={search.confirm}
        // A place to come back to is known to people who have an account.
        asked={search.mode ?? (search.return === undefined ? undefined : 'signin')}
      />
    </Split>
  );
}

function Invitation({ token, session }: { token: string; session: Session }) {
  const { notice, ...taken } = useKeptSession(useTakeSignedIn());
  return (
    <Suspense fallback={LOADING}>
      {notice}
      <InviteTask token={token} session={session} {...taken} />
    </Suspense>
  );
}

function Split({ children }: { children: ReactNode }) {
  return (
    <main className="split">
      <div className="split__form">
        <Wordmark />
        <div className="signup">{children}</div>
      </div>
      <MarketingPanel />
    </main>
  );
}

/** The tokens of mails about an account, which are opened whoever is signed in here. */
const LINKS = ['email', 'notme', 'report'] as const;
type MailedLinkProps = Partial<Record<(typeof LINKS)[number], string | undefined>>;

/** Task that a link in such a mail opens. */
function MailedLink({ email, notme, report }: MailedLinkProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  async function leadOn(): Promise<void> {
    // It may have ended all sessions, on purpose: that must not lock the page.
    await queryClient.resetQueries({ queryKey: ['getSession'] });
    await router.navigate({ to: '/onboarding', search: {}, replace: true });
  }
  const onDone = () => void leadOn();
  if (email !== undefined) {
    return <ConfirmEmail operation="confirmEmailChange" token={email} onDone={onDone} />;
  }
  return notme === undefined ? (
    <ReportNotMe operation="reportNotice" token={report ?? ''} onDone={onDone} />
  ) : (
    <ReportNotMe operation="reportEmailChange" token={notme} onDone={onDone} />
  );
}

/** Leads on, once: while the next screen loads, the address that named it is gone already. */
function SentOn({ to }: { to: string }) {
  const [href] = useState(to);
  const router = useRouter();
  useEffect(() => void router.navigate({ href, replace: true }), [router, href]);
  return null;
}
