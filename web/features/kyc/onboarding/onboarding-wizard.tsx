import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import { ApiError } from '#web/api/client.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { applicationQuery, useAutosave } from './use-wizard.ts';
import { WizardTask } from './wizard-task.tsx';
import type { OnboardingWizardProps } from './wizard-task.tsx';

const SETTING_UP_RETRY_MS = 1_500;

/** Steps 2 to 8 of onboarding. */
export function OnboardingWizard(props: OnboardingWizardProps) {
  const application = useQuery({
    ...applicationQuery,
    refetchInterval: ({ state }) => (isMissing(state.error) ? SETTING_UP_RETRY_MS : false),
  });
  if (application.data !== undefined) {
    return <LoadedWizard key={application.data.id} {...props} application={application.data} />;
  }
  if (application.isPending) return props.loading('Loading your application...');
  if (isMissing(application.error)) return props.loading('Setting up your application...');
  return (
    <main className="full-screen">
      <PageTitle>Onboarding</PageTitle>
      <ErrorState
        title="Error"
        message="Failed to load application data"
        onRetry={() => void application.refetch()}
        isRetrying={application.isFetching}
      />
    </main>
  );
}

/** Just after signing up the application may still be on its way. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === 'application_not_found';
}

interface LoadedWizardProps extends OnboardingWizardProps {
  application: RouteReply<'getMyApplication'>;
}

function LoadedWizard({ application, ...props }: LoadedWizardProps) {
  const saving = useAutosave(application, props.user);
  const { status } = application;
  const isEditable = can(kycCan, 'edit', status);
  const leave = useEffectEvent(() => props.onLeave(status));
  useEffect(() => {
    if (!isEditable) leave();
  }, [isEditable]);

  if (!isEditable) return props.loading('Loading your application...');
  // Newer answers replace those on screen: the form begins again with them.
  return <WizardTask key={saving.state.loads} {...props} loaded={application} {...saving} />;
}
