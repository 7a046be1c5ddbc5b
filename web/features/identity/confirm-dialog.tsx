import { useState } from 'react';
import { CONFIRMATION_MINUTES } from '#contract/limits.ts';
import type { ConfirmationWays } from '#web/api/confirmation.ts';
import { call } from '#web/api/client.ts';
import { ActionButton, useAction } from '#web/kit/action.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { askForPasskey, whyNoPasskeys } from '#web/lib/passkeys.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { codeProblem, type CodeKind } from './check-code.ts';

interface ConfirmDialogProps {
  ways: ConfirmationWays;
  onSettled: (isConfirmed: boolean) => void;
}

const HINT = `Not asked again for ${CONFIRMATION_MINUTES} minutes.`;

/** "Confirm it's you": the password or a code once more, over whatever the user was doing. */
export function ConfirmDialog({ ways: { by, hasPasskey }, onSettled }: ConfirmDialogProps) {
  const [codeKind, setCodeKind] = useState<CodeKind>('app');
  const passkey = useAction({
    send: async () => {
      const response = await askForPasskey(await call('beginPasskeyConfirmation'));
      return call('confirmWithPasskey', { body: { response } });
    },
    onDone: () => onSettled(true),
    failed: 'Not confirmed',
    hint: `Please try again, or enter your ${by}.`,
  });
  return (
    <TaskDialog
      title="Confirm it’s you"
      initial={{ answer: '' }}
      check={({ answer }: { answer: string }) => ({
        answer: by === 'code' ? codeProblem(codeKind, answer) : passwordProblem(answer),
      })}
      send={(body) => call('confirmIdentity', { body })}
      onDone={() => onSettled(true)}
      places={{ invalid_password: 'answer', code_invalid: 'answer' }}
      size="reject"
      submit={{ label: 'Confirm', pending: 'Confirming' }}
      onClose={() => onSettled(false)}
    >
      {({ answer }) => (
        <>
          {hasPasskey && whyNoPasskeys() === undefined && (
            <ActionButton shape="block" action={passkey} pending="Waiting for your passkey">
              Confirm with a Passkey
            </ActionButton>
          )}
          {by === 'password' ? (
            <PasswordField
              label="Current Password"
              isRequired
              autoComplete="current-password"
              hint={HINT}
              {...answer}
            />
          ) : (
            <>
              <CodeField
                label={codeKind === 'app' ? 'Code from the app' : 'Recovery code'}
                kind={codeKind}
                isRequired
                hint={HINT}
                {...answer}
              />
              <p>
                <TextButton
                  onPress={() => {
                    setCodeKind(codeKind === 'app' ? 'recovery' : 'app');
                    answer.onChange('');
                  }}
                >
                  {codeKind === 'app' ? 'Use a recovery code' : 'Use a six-digit code instead'}
                </TextButton>
              </p>
            </>
          )}
        </>
      )}
    </TaskDialog>
  );
}

function passwordProblem(typed: string): string | undefined {
  return typed === '' ? 'Enter your current password' : undefined;
}
