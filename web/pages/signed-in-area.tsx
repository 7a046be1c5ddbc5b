import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, type ReactNode } from 'react';
import type { Role } from '#contract/identity.ts';
import { apiQuery } from '#web/api/query.ts';
import { BooksFoot } from '#web/features/books/books-foot.tsx';
import { NotificationBell } from '#web/features/notifications/notification-bell.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { useAskedSignOut } from '#web/features/session/use-asked-sign-out.tsx';
import { AreaLayout } from '#web/features/shell/area-layout.tsx';
import { BulkProgress } from '#web/kit/bulk-progress.tsx';
import { CompanyContext } from '#web/lib/company.ts';

// Few users ever see it: loaded when it is shown.
const MailBanner = lazy(async () => {
  const { MailBanner: banner } = await import('#web/features/notifications/mail-banner.tsx');
  return { default: banner };
});

interface SignedInAreaProps {
  area: Role;
  /** In the top bar. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The layout of an area for the person who is signed in; nothing while nobody is. */
export function SignedInArea({ area, tools, children }: SignedInAreaProps) {
  const session = useSession();
  const { signOut, isPending: isSigningOut, question } = useAskedSignOut();
  const shell = useQuery({
    ...apiQuery('getShell', {}),
    enabled: session.data !== undefined && session.data.user !== null,
  });
  if (session.data === undefined || session.data.user === null) return null;
  return (
    <CompanyContext value={session.data.company}>
      <AreaLayout
        user={session.data.user}
        avatarUrl={session.data.avatarUrl}
        area={area}
        isSigningOut={isSigningOut}
        onSignOut={signOut}
        tools={tools}
        bell={<NotificationBell area={area} />}
        foot={<BooksFoot checkedAt={shell.data?.booksCheckedAt ?? null} />}
      >
        {shell.data?.isMailStopped === true && (
          <Suspense fallback={null}>
            <MailBanner area={area} email={session.data.user.email} />
          </Suspense>
        )}
        {children}
        {area === 'admin' && <BulkProgress />}
        {question}
      </AreaLayout>
    </CompanyContext>
  );
}
