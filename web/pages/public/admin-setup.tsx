import { AdminInvite } from '#web/features/identity/invites/admin-invite.tsx';
import { SIGN_IN_FIRST } from '#web/features/identity/invites/redeem-invite.ts';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

/** `/admin/setup`: redeems an admin invite. */
export function AdminSetupPage() {
  const session = useSession();
  if (session.isPending) return <FullScreen message="Authenticating..." />;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  return (
    <main className="lone">
      <Wordmark href="/" />
      {session.data.user === null ? (
        <div className="lone__task">
          <PageTitle>Admin Access Requires Sign In</PageTitle>
          <p className="muted mt-1 mb-6">
            {SIGN_IN_FIRST} If you have no account yet, create one there.
          </p>
          <LinkButton href="/onboarding?return=%2Fadmin%2Fsetup" kind="solid">
            Sign in
          </LinkButton>
        </div>
      ) : (
        <AdminInvite />
      )}
    </main>
  );
}
