import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Session } from '#contract/api.ts';
import { useAuthMode } from '#web/features/identity/sign-in/auth-mode.ts';
import { ConfirmEmail } from '#web/features/identity/sign-in/confirm-email.tsx';
import { ForgotPasswordForm } from '#web/features/identity/sign-in/forgot-password-form.tsx';
import { PasskeySignIn } from '#web/features/identity/sign-in/passkey-sign-in.tsx';
import { PasswordLinkTask } from '#web/features/identity/sign-in/password-link-task.tsx';
import { SecondStep } from '#web/features/identity/sign-in/second-step.tsx';
import { SignInForm } from '#web/features/identity/sign-in/sign-in-form.tsx';
import { SignUpForm } from '#web/features/identity/sign-in/sign-up-form.tsx';
import { useKeptSession, useTakeSignedIn } from '#web/features/session/kept-session.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { TextButton } from '#web/ui/text-button.tsx';

const TO_SIGN_UP = { question: 'New here?', label: 'Create an account' };
const TO_SIGN_IN = { question: 'Already have an account?', label: 'Sign in' };

interface AuthenticationProps {
  session: Session;
  resetToken: string | undefined;
  confirmToken: string | undefined;
  /** 'signin' or 'signup' where the address asks for that form. */
  asked: string | undefined;
}

/** Step 1 of onboarding: whichever form the person or the mailed link asks for. */
export function Authentication({
  session: present,
  resetToken,
  confirmToken,
  asked,
}: AuthenticationProps) {
  const [mode, setMode] = useAuthMode(asked);
  const [hasForgotten, setHasForgotten] = useState(false);
  const [knownEmail, setKnownEmail] = useState('');
  const [secondStepOf, setSecondStepOf] = useState<string>();
  const takeSignedIn = useTakeSignedIn();
  const navigate = useNavigate();

  function toSignIn(email = ''): void {
    setKnownEmail(email);
    setHasForgotten(false);
    setMode('signin');
    if (resetToken !== undefined || confirmToken !== undefined) {
      void navigate({ to: '/onboarding', search: {}, replace: true });
    }
  }

  const isReset = resetToken !== undefined;
  const { onSignedIn, notice } = useKeptSession(
    (session) => {
      takeSignedIn(session);
      if (isReset) void navigate({ to: '/', replace: true });
    },
    () => {
      setSecondStepOf(undefined);
      toSignIn(knownEmail);
    },
  );

  if (confirmToken !== undefined)
    return <ConfirmEmail operation="confirmEmail" token={confirmToken} onDone={() => toSignIn()} />;
  if (resetToken !== undefined) {
    return (
      <PasswordLinkTask
        token={resetToken}
        session={present}
        onSignedIn={(session) => void onSignedIn(session)}
        onSignIn={toSignIn}
      />
    );
  }
  if (hasForgotten) {
    return (
      <Task
        key="forgot"
        title="Forgot your password?"
        line="We send you a link to choose a new one."
        switchTo={{ question: 'Remembered it?', label: 'Sign in', onPress: () => toSignIn() }}
      >
        <ForgotPasswordForm />
      </Task>
    );
  }
  if (secondStepOf !== undefined) {
    return (
      <SecondStep
        email={secondStepOf}
        onSignedIn={onSignedIn}
        onBack={() => {
          setSecondStepOf(undefined);
          toSignIn(secondStepOf);
        }}
      />
    );
  }
  if (mode === 'signin') {
    return (
      <Task
        key="signin"
        title="Sign in"
        notice={notice}
        switchTo={{ ...TO_SIGN_UP, onPress: () => setMode('signup') }}
      >
        <SignInForm
          initialEmail={knownEmail}
          onSignedIn={onSignedIn}
          onSecondStep={setSecondStepOf}
        />
        <PasskeySignIn onSignedIn={onSignedIn} />
        <p className="mt-4">
          <TextButton onPress={() => setHasForgotten(true)}>Forgot password?</TextButton>
        </p>
      </Task>
    );
  }
  return (
    <Task
      key="signup"
      title="Create your account"
      notice={notice}
      switchTo={{ ...TO_SIGN_IN, onPress: () => setMode('signin') }}
    >
      <SignUpForm onDone={toSignIn} />
    </Task>
  );
}

interface TaskProps {
  title: string;
  line?: string;
  /** Something that keeps people from signing in. */
  notice?: ReactNode;
  children: ReactNode;
  switchTo?: { question: string; label: string; onPress: () => void };
}

function Task({
  title,
  line = 'Pays the crew. Keeps the books.',
  notice,
  children,
  switchTo,
}: TaskProps) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <p className="muted mt-1">{line}</p>
      {notice}
      {children}
      {switchTo !== undefined && (
        <p className="signup__switch">
          {switchTo.question} <TextButton onPress={switchTo.onPress}>{switchTo.label}</TextButton>
        </p>
      )}
    </>
  );
}
