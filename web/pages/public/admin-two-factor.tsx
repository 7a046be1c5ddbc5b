import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { firstAdminScreen } from '#web/features/identity/invites/first-admin-screen.ts';
import { RequiredTwoFactor } from '#web/features/identity/security/required-two-factor.tsx';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { useSignOut } from '#web/features/session/use-sign-out.ts';
import { CompanyContext } from '#web/lib/company.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';

/** `/admin/two-factor`: where an administrator is led who has to set it up. */
export function AdminTwoFactorPage() {
  const session = useSession();
  if (session.isPending) return <FullScreen message="Authenticating..." />;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  return <TwoFactorFirst session={session.data} />;
}

function TwoFactorFirst({ session }: { session: Session }) {
  const signOut = useSignOut();
  // Not by the session alone: it says that two-factor is on while the recovery codes are still shown.
  const [isDone] = useState(!session.mustSetUpTwoFactor);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  if (isDone) return <Navigate to="/" replace />;
  return (
    <CompanyContext value={session.company}>
      <main className="lone">
        <Wordmark href="/" />
        <RequiredTwoFactor
          companyName={session.company.name}
          maySkip={session.maySkipTwoFactor}
          isSigningOut={signOut.isPending}
          onSignOut={() => signOut.mutate()}
          onDone={async () => {
            await navigate({ to: await firstAdminScreen(queryClient), replace: true });
          }}
        />
      </main>
    </CompanyContext>
  );
}
