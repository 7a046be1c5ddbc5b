import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Session, User } from '#contract/api.ts';
import { OnboardingWizard } from '#web/features/kyc/onboarding/onboarding-wizard.tsx';
import { readStep } from '#web/features/kyc/onboarding/wizard-plan.ts';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { homeOf } from '#web/features/session/home.ts';
import { sessionQuery } from '#web/features/session/use-session.ts';
import { useSignOut } from '#web/features/session/use-sign-out.ts';
import { CompanyContext } from '#web/lib/company.ts';

interface OnboardingStepsProps {
  session: Session;
  user: User;
}

/** Steps 2 to 8 of `/onboarding`; `?step=` names one. */
export function OnboardingSteps({ session, user }: OnboardingStepsProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut();
  // Both of one address: while the next screen is made, useSearch still has that of the last.
  const step = useLocation({
    select: ({ search, state }) => readStep(search.step) ?? state.resumedAt,
  });
  // Nothing of the wizard may ask the server for more while the session ends.
  if (signOut.isPending) return <FullScreen message="Redirecting..." />;
  return (
    <CompanyContext value={session.company}>
      <OnboardingWizard
        user={user}
        step={step}
        onStep={(next) => void navigate({ to: '/onboarding', search: { step: String(next) } })}
        onResume={(at) =>
          void navigate({ to: '/onboarding', state: { resumedAt: at }, replace: true })
        }
        onSignOut={() => signOut.mutate()}
        onLeave={(kycStatus) => {
          const left: Session = { ...session, kycStatus };
          queryClient.setQueryData(sessionQuery.queryKey, left);
          void navigate({ href: homeOf(left), replace: true });
        }}
        loading={(message) => <FullScreen message={message} />}
      />
    </CompanyContext>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Step to which a returning user was taken. A reload keeps them there. */
    resumedAt?: number;
  }
}
