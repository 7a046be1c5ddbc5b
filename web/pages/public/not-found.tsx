import { PageTitle } from '#web/ui/page-title.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

/** `/404`; every unknown path ends here. */
export function NotFoundPage() {
  return (
    <main className="full-screen">
      <Wordmark />
      <PageTitle>404</PageTitle>
      <p>Oops! Page not found</p>
      <LinkButton href="/">Return to Home</LinkButton>
    </main>
  );
}
