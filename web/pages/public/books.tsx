import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { Session } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { HowChecked } from '#web/features/books/how-checked.tsx';
import { NewestSeal } from '#web/features/books/newest-seal.tsx';
import { Promises } from '#web/features/books/promises.tsx';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { ONBOARDING } from '#web/features/session/home.ts';
import { SessionError } from '#web/features/session/session-error.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { CompanyContext } from '#web/lib/company.ts';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import '#web/features/books/books.css';

/** `/books`: how the company keeps what it owes, for everyone in it. */
export function BooksPage() {
  const session = useSession();
  if (session.isPending) return <FullScreen message="Authenticating..." />;
  if (session.data === undefined) return <SessionError onRetry={() => void session.refetch()} />;
  const { user, mustSetUpTwoFactor } = session.data;
  if (user === null) return <Navigate to={ONBOARDING} search={{ return: '/books' }} replace />;
  if (mustSetUpTwoFactor) return <Navigate to="/admin/two-factor" replace />;
  return <Books session={session.data} />;
}

function Books({ session: { company, user } }: { session: Session }) {
  const books = useQuery(apiQuery('getBooksPage', {}));
  return (
    <CompanyContext value={company}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar topbar--lone">
        <Wordmark href="/" />
        <span className="topbar__company">{company.name}</span>
        <div className="topbar__end">
          <Icon of={ArrowLeft} size={16} />
          <TextLink href="/">Back to Dashboard</TextLink>
        </div>
      </header>
      <main className="ledger" id="main" tabIndex={-1}>
        <div className="ledger__head">
          <PageTitle>Books</PageTitle>
          <p>
            How {company.name} keeps what it owes you. Three promises, each tested by a machine and
            shown to everyone here, also when a test fails.
          </p>
        </div>
        <LoadedQuery query={books} what="the books">
          {(found) => (
            <>
              <Promises books={found} />
              {found.newest !== null && <NewestSeal newest={found.newest} />}
            </>
          )}
        </LoadedQuery>
        <HowChecked />
        {user?.isEmployee === true && (
          <p className="ledger__end">
            <span>
              Your own entries can be proved one by one: open one in{' '}
              <TextLink href="/employee/history">History</TextLink> and choose Prove.
            </span>
          </p>
        )}
      </main>
    </CompanyContext>
  );
}
