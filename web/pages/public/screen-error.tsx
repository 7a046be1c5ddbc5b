import type { ErrorComponentProps } from '@tanstack/react-router';
import { PageTitle } from '#web/ui/page-title.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';

/** A screen broke, or its code could not be loaded (a new version was released, the line dropped). */
export function ScreenError({ reset }: ErrorComponentProps) {
  return (
    <div className="full-screen">
      <PageTitle>This screen could not be shown</PageTitle>
      <ErrorState
        title="Something went wrong"
        message="Load the page again."
        onRetry={() => {
          reset();
          window.location.reload();
        }}
      />
    </div>
  );
}
