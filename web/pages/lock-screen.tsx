import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Session } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { useKeptSession } from '#web/features/session/kept-session.tsx';
import { announceSession } from '#web/features/session/other-tabs.ts';
import { continueWith, sessionQuery } from '#web/features/session/use-session.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { PasskeySignIn } from '#web/features/identity/sign-in/passkey-sign-in.tsx';
import { SecondStep } from '#web/features/identity/sign-in/second-step.tsx';
import { SignInForm } from '#web/features/identity/sign-in/sign-in-form.tsx';

/**
 * Asks the person of the page to sign in again, in place of everything else. The same person goes on where
 * they were; another one gets a page of their own.
 *
 * @param className class of the element that it is drawn in
 */
export function LockScreen({ className }: { className: string }) {
  const queryClient = useQueryClient();
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const [place] = useState(() => createPlace(className));
  useEffect(() => {
    // The keys of the page behind listen on the document.
    const stop = (event: Event) => event.stopPropagation();
    place.addEventListener('keydown', stop);
    document.body.append(place);
    return () => place.remove();
  }, [place]);
  const { onSignedIn, notice } = useKeptSession((next) => {
    announceSession('signed-in');
    continueWith(queryClient, next);
  });
  const user = session?.user;
  if (user == null) return null;

  return createPortal(
    <main className="lone">
      <Wordmark />
      <div className="lone__task signup">
        {notice}
        <SignInAgain name={fullName(user)} email={user.email} onSignedIn={onSignedIn} />
      </div>
      <ToastRegion />
    </main>,
    place,
  );
}

function createPlace(className: string): HTMLElement {
  const place = document.createElement('div');
  place.className = className;
  // A dialog behind it hides and holds everything else but this.
  place.dataset['reactAriaTopLayer'] = 'true';
  return place;
}

interface SignInAgainProps {
  name: string;
  email: string;
  onSignedIn: (session: Session) => Promise<void>;
}

function SignInAgain({ name, email, onSignedIn }: SignInAgainProps) {
  const [secondStepOf, setSecondStepOf] = useState<string>();
  useEffect(() => {
    if (secondStepOf === undefined) document.querySelector<HTMLElement>('.lock h1')?.focus();
  }, [secondStepOf]);
  if (secondStepOf !== undefined) {
    return (
      <SecondStep
        email={secondStepOf}
        onSignedIn={onSignedIn}
        onBack={() => setSecondStepOf(undefined)}
      />
    );
  }
  return (
    <>
      <h1 className="page-title" tabIndex={-1}>
        Your session has ended
      </h1>
      <p className="muted mt-1">
        Sign in as {name} to continue where you were. What you typed is still there. If someone else
        signs in, it is discarded.
      </p>
      <SignInForm initialEmail={email} onSignedIn={onSignedIn} onSecondStep={setSecondStepOf} />
      <PasskeySignIn onSignedIn={onSignedIn} />
      <p className="mt-4">
        <a className="link" href="/onboarding?mode=signin" target="_blank" rel="noreferrer">
          Forgot password?
        </a>
      </p>
    </>
  );
}
