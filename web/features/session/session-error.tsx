import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

/** Error screen for a session that could not be loaded, with a retry. */
export function SessionError({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="full-screen">
      <PageTitle>Purser is not reachable</PageTitle>
      <ErrorState
        title="Your session could not be loaded"
        message="Check your connection and try again."
        onRetry={onRetry}
      />
    </main>
  );
}
