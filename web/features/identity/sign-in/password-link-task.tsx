import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { ApiError } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';

interface PasswordLinkTaskProps {
  token: string;
  /** The person who is signed in on this browser, and the company. */
  session: Session;
  onSignedIn: (session: Session) => void;
  /** To signing in: after a new password, or where the link does not work. */
  onSignIn: (email?: string) => void;
}

/** Opened from a link to choose a password: the first one of a new employee, or a new one. */
export function PasswordLinkTask({ token, session, onSignedIn, onSignIn }: PasswordLinkTaskProps) {
  const [isOver, setOver] = useState(false);
  const link = useQuery({
    ...apiQuery('openPasswordLink', { body: { token } }),
    // The link is spent by then, and asking for it again would be refused.
    enabled: !isOver,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (link.data === undefined || isOver) {
    if (!link.isError) return <Skeleton lines={6} label="Opening your link" />;
    const isRefused = link.error instanceof ApiError && link.error.problem.code === 'link_invalid';
    if (!isRefused) return <QueryError query={link} title="Error Opening Link" />;
    return <InvalidLink words={errorMessage(link.error, '')} onSignIn={() => onSignIn()} />;
  }
  const { kind, email, firstName, invitedBy } = link.data;
  const { company, user } = session;
  const isOther = user !== null && user.email !== email;
  return (
    <>
      <PageTitle>
        {kind === 'first' ? `Welcome to ${company.name}` : 'Choose a new password'}
      </PageTitle>
      <p className="muted mt-1">
        {kind === 'reset'
          ? `For ${email} at ${company.name}. It replaces your current password.`
          : invitedBy === null
            ? `Hi ${firstName}, ${company.name} created an account for you. Choose a password for ${email}.`
            : `Hi ${firstName}, ${invitedBy} of ${company.name} invited you. Choose a password for ${email}.`}
      </p>
      {isOther && (
        <div className="mt-4">
          <Notice tone="caution">
            {`This browser is signed in as ${user.email}. That session ends when ${email} signs in here.`}
          </Notice>
        </div>
      )}
      <ResetPasswordForm
        token={token}
        kind={kind}
        email={email}
        onSignedIn={(signedIn) => {
          setOver(true);
          onSignedIn(signedIn);
        }}
        onDone={() => onSignIn(email)}
      />
    </>
  );
}

function InvalidLink({ words, onSignIn }: { words: string; onSignIn: () => void }) {
  return (
    <>
      <PageTitle>This link does not work</PageTitle>
      <div className="mt-4">
        <Notice tone="critical" role="alert">
          {words}
        </Notice>
      </div>
      <p className="muted mt-4">
        If you have a password, sign in. Otherwise ask the person who invited you for a new link.
      </p>
      <div className="mt-6">
        <Button kind="solid" shape="block" onPress={onSignIn}>
          Sign In
        </Button>
      </div>
    </>
  );
}
