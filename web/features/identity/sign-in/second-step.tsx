import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { ApiError, call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Form } from '#web/kit/form.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { codeProblem, type CodeKind } from '../check-code.ts';

interface SecondStepProps {
  /** With which the first step was done. */
  email: string;
  onSignedIn: (session: Session) => void;
  /** Back to the password: on purpose, or because it took too long. */
  onBack: () => void;
}

const WORDS = {
  app: {
    title: 'Enter your code',
    line: 'Open your authenticator app.',
    label: 'Six-digit code',
    hint: 'The app shows a new one every 30 seconds.',
  },
  recovery: {
    title: 'Enter a recovery code',
    line: 'One of the ten you kept when you set up two-factor.',
    label: 'Recovery code',
    hint: 'It is used up once you are in.',
  },
} as const;

/** The second step of signing in, of whoever has two-factor. */
export function SecondStep({ email, onSignedIn, onBack }: SecondStepProps) {
  const [kind, setKind] = useState<CodeKind>('app');
  const { title, line } = WORDS[kind];
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <p className="muted mt-1">
        {line} Signing in as <span className="wrap">{email}</span>
      </p>
      <CodeForm key={kind} kind={kind} onSignedIn={onSignedIn} onExpired={onBack} />
      {kind === 'app' ? (
        <p className="signup__switch">
          No phone with you?{' '}
          <TextButton onPress={() => setKind('recovery')}>Use a recovery code</TextButton>
        </p>
      ) : (
        <>
          <p className="signup__switch">
            <TextButton onPress={() => setKind('app')}>Use a six-digit code instead</TextButton>
          </p>
          <p className="muted mt-2">Lost your phone and your codes? Ask your administrator.</p>
        </>
      )}
      <p className="mt-2">
        <TextButton onPress={onBack}>Back to sign in</TextButton>
      </p>
    </>
  );
}

interface CodeFormProps {
  kind: CodeKind;
  onSignedIn: (session: Session) => void;
  onExpired: () => void;
}

function CodeForm({ kind, onSignedIn, onExpired }: CodeFormProps) {
  const [isLocked, setIsLocked] = useState<string>();
  const state = useFormState({
    initial: { code: '' },
    check: ({ code }) => ({ code: codeProblem(kind, code) }),
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: (body) => {
      setIsLocked(undefined);
      return call('verifySecondFactor', { body });
    },
    onDone: onSignedIn,
    onFailed: (error) => {
      const refusal = error instanceof ApiError ? error.problem.code : null;
      if (refusal === 'sign_in_expired') {
        toast({ title: 'Please sign in again', message: error.message, tone: 'critical' });
        onExpired();
      } else if (refusal === 'too_many_requests') {
        setIsLocked(error.message);
      } else {
        const message = errorMessage(error, 'Please try again.');
        state.form.setError('code', { type: 'server', message });
      }
    },
  });
  return (
    <Form state={state} task={task} submit={{ label: 'Sign In', pending: 'Signing in' }}>
      {({ code }) => (
        <>
          {isLocked !== undefined && (
            <Notice tone="critical" role="alert">
              <strong>{isLocked}</strong> If you did not make these attempts, somebody knows your
              password. Change it after you sign in.
            </Notice>
          )}
          <CodeField
            label={WORDS[kind].label}
            hint={WORDS[kind].hint}
            kind={kind}
            isRequired
            {...code}
          />
        </>
      )}
    </Form>
  );
}
