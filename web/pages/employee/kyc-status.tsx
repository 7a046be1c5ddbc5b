import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type {
  KycApplication,
  KycDocument,
  RouteReply,
  Session,
  Verification,
} from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import { ApiError } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ApplicationDetails } from '#web/features/kyc/status/application-details.tsx';
import { ApplicationDocuments } from '#web/features/kyc/status/application-documents.tsx';
import { AccessLog } from '#web/features/access-log/access-log.tsx';
import { StatusCard } from '#web/features/kyc/status/status-card.tsx';
import { sessionQuery, useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import '#web/features/kyc/status/identity.css';

/** `/employee/kyc-status` */
export function KycStatusPage() {
  const session = useSession();
  return (
    <>
      <ScreenHead subtitle="Your identity application, and who has seen it." />
      {session.data !== undefined && <Identity session={session.data} />}
    </>
  );
}

function Identity({ session }: { session: Session }) {
  const application = useQuery(apiQuery('getMyApplication', {}));
  const verification = useQuery(apiQuery('getMyVerification', {}));
  if (application.error instanceof ApiError && application.error.problem.status === 404) {
    return (
      <EmptyState
        title="No application yet"
        hint="Verify your identity to send money out of your wallet."
        action={<LinkButton href="/onboarding">Start Application</LinkButton>}
      />
    );
  }
  const error = (application.isError || verification.isError) && (
    <ErrorState
      title="Error"
      message="Failed to load application data"
      onRetry={() => {
        void application.refetch();
        void verification.refetch();
      }}
      isRetrying={application.isFetching || verification.isFetching}
    />
  );
  if (application.data === undefined || verification.data === undefined) {
    return error || <Skeleton lines={12} label="Loading your application..." />;
  }
  return (
    <>
      {error}
      <Loaded session={session} application={application.data} verification={verification.data} />
    </>
  );
}

interface LoadedProps {
  session: Session;
  application: RouteReply<'getMyApplication'>;
  verification: Verification;
}

function Loaded({ session, application, verification }: LoadedProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  function goOnWith(started: KycApplication): void {
    queryClient.setQueryData(apiQuery('getMyApplication', {}).queryKey, started);
    queryClient.setQueryData(sessionQuery.queryKey, { ...session, kycStatus: started.status });
    void navigate({ to: '/onboarding' });
  }

  return (
    <div className="identity-page">
      <StatusCard application={application} onStarted={goOnWith} />
      <Section title="Application Details">
        <ApplicationDetails application={application} />
      </Section>
      <ApplicationDocuments
        documents={[...imagesOf(application), ...verification.documents]}
        uploadAt={uploadAt(application, verification)}
      />
      <AccessLog />
    </div>
  );
}

/** Why an image has to be uploaded again stands in the message at the top, once. */
function imagesOf({ status, documents }: KycApplication): KycDocument[] {
  if (status !== 'resubmit_required') return documents;
  return documents.map((document) => ({ ...document, rejectionReason: null }));
}

/** The images of the application are uploaded with it, those of the wallet next to the banks. */
function uploadAt(application: KycApplication, verification: Verification): string | undefined {
  if (can(kycCan, 'edit', application.status)) return '/onboarding?step=4';
  return verification.status === 'verified' ? undefined : '/employee/bank-details';
}
