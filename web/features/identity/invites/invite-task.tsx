import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RouteReply, Session } from '#contract/api.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { ActionButton } from '#web/kit/action.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { firstAdminScreen } from './first-admin-screen.ts';
import { redeemInvite, toastRedemptionError } from './redeem-invite.ts';
import { SecondStep } from '../sign-in/second-step.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { SignUpForm } from '../sign-in/sign-up-form.tsx';

type Invite = RouteReply<'openInvite'>;

interface InviteTaskProps {
  token: string;
  session: Session;
  /** Takes the session of the person who signed in. */
  onSignedIn: (session: Session) => Promise<void>;
  /** Takes the session that the accepted invite began. Calls `beforeTaken` first. */
  onAccepted: (session: Session, beforeTaken: () => void) => Promise<void>;
}

/** Opened from the link of an invite: signs up or in, and makes the person an administrator. */
export function InviteTask({ token, session, onSignedIn, onAccepted }: InviteTaskProps) {
  const become = useBecomeAdmin();
  const invite = useQuery({
    ...apiQuery('openInvite', { body: { token } }),
    // The invite is spent by then, and asking for it again would be refused.
    enabled: !become.isOver,
    staleTime: 'static',
    gcTime: 0,
  });
  if (invite.data === undefined || become.isOver) {
    if (!invite.isError) return <Skeleton lines={6} label="Opening your invitation" />;
    const isRefused = invite.error instanceof ApiError;
    if (!isRefused) return <QueryError query={invite} title="Error Opening Invitation" />;
    return (
      <>
        <PageTitle>This invitation does not work</PageTitle>
        <div className="mt-4">
          <Notice tone="critical" role="alert">
            {errorMessage(invite.error, 'Ask the person who invited you for a new one.')}
          </Notice>
        </div>
      </>
    );
  }
  const { company, user } = session;
  const { invitedBy } = invite.data;
  return (
    <>
      <PageTitle>{`Manage ${company.name}`}</PageTitle>
      <p className="muted mt-1">
        {invitedBy === null
          ? 'This invitation makes you an administrator.'
          : `${invitedBy} invites you to become an administrator.`}
      </p>
      {user === null ? (
        <NewAdmin
          token={token}
          invite={invite.data}
          onSignedIn={onSignedIn}
          onAccepted={(admin) => onAccepted(admin, () => void become.lead())}
        />
      ) : (
        <Redeem
          token={token}
          invite={invite.data}
          user={user}
          onBecame={() => void become.lead()}
        />
      )}
    </>
  );
}

/** Leads an administrator on, once they are one. */
export function useBecomeAdmin() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    async lead(): Promise<void> {
      setOver(true);
      await queryClient.invalidateQueries();
      toast({
        title: "You're now an admin",
        message: 'Admin privileges granted successfully.',
        tone: 'positive',
      });
      await navigate({ to: await firstAdminScreen(queryClient), replace: true });
    },
  };
}

interface RedeemProps {
  token: string;
  invite: Invite;
  user: NonNullable<Session['user']>;
  onBecame: () => void;
}

/** Form for somebody who is signed in. */
function Redeem({ token, invite, user, onBecame }: RedeemProps) {
  const queryClient = useQueryClient();
  const redeem = useMutation({
    mutationFn: () => redeemInvite(token),
    onSuccess: onBecame,
    onError: toastRedemptionError,
  });
  const signOut = useMutation({
    mutationFn: () => call('signOut'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['getSession'] }),
  });
  const refusal =
    user.role === 'admin'
      ? `${user.email} is an administrator already. The invitation still works for the person it was made for.`
      : invite.email !== null && invite.email !== user.email
        ? `The invitation is for ${invite.email}. You are signed in as ${user.email}.`
        : undefined;
  if (refusal !== undefined) {
    return (
      <>
        <div className="mt-4">
          <Notice tone="caution">{refusal}</Notice>
        </div>
        <ActionButton className="mt-6" shape="block" action={signOut}>
          Sign Out
        </ActionButton>
      </>
    );
  }
  return (
    <>
      <p className="mt-4">
        You are signed in as <span className="strong">{user.email}</span>.
      </p>
      <div className="mt-6">
        <ActionButton kind="solid" shape="block" action={redeem} pending="Redeeming">
          Become an Administrator
        </ActionButton>
      </div>
    </>
  );
}

interface NewAdminProps extends Pick<InviteTaskProps, 'token' | 'onSignedIn'> {
  invite: Invite;
  onAccepted: (session: Session) => Promise<void>;
}

/** Form for somebody who is not signed in. It creates an account, or signs in with an existing one. */
function NewAdmin({ token, invite, onSignedIn, onAccepted }: NewAdminProps) {
  const [signingIn, setSigningIn] = useState<{ email: string; line?: string } | undefined>(
    invite.hasAccount ? { email: invite.email ?? '' } : undefined,
  );
  const [secondStepOf, setSecondStepOf] = useState<string>();
  if (secondStepOf !== undefined) {
    return (
      <SecondStep
        email={secondStepOf}
        onSignedIn={onSignedIn}
        onBack={() => setSecondStepOf(undefined)}
      />
    );
  }
  if (signingIn !== undefined) {
    return (
      <>
        <p className="muted mt-4">
          {signingIn.line ?? 'Sign in with your account to accept the invitation.'}
        </p>
        <SignInForm
          initialEmail={signingIn.email}
          onSignedIn={onSignedIn}
          onSecondStep={setSecondStepOf}
        />
        {!invite.hasAccount && (
          <p className="signup__switch">
            New here?{' '}
            <TextButton onPress={() => setSigningIn(undefined)}>Create an account</TextButton>
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <SignUpForm
        invite={{ token, email: invite.email }}
        onSignedIn={onAccepted}
        onDone={(email, isToBeConfirmed) =>
          setSigningIn({
            email,
            ...(isToBeConfirmed && {
              line: 'Open the confirmation link that we mailed you. Then sign in here.',
            }),
          })
        }
      />
      <p className="signup__switch">
        Already have an account?{' '}
        <TextButton onPress={() => setSigningIn({ email: invite.email ?? '' })}>Sign in</TextButton>
      </p>
    </>
  );
}
