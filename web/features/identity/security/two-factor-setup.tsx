import { CopyValue } from '#web/kit/copy-value.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import './security.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import { codeProblem } from '../check-code.ts';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { PasswordDialog } from './password-dialog.tsx';

type Made = RouteReply<'setUpTwoFactor'>;

const TITLE = 'Set up two-factor';
const STEPS = ['Your Password', 'Scan & Confirm', 'Recovery Codes'];

interface TwoFactorSetupProps {
  /** True if two-factor is on. */
  onClose: (isOn?: boolean) => void;
}

/** Three steps: the password, the secret into the app and its first code, the recovery codes. */
export function TwoFactorSetup({ onClose }: TwoFactorSetupProps) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<Made>();
  const [isOn, setIsOn] = useState(false);
  if (made === undefined) return <PasswordStep onMade={setMade} onClose={() => onClose(false)} />;
  if (isOn) return <CodesStep codes={made.recoveryCodes} onClose={() => onClose(true)} />;
  return (
    <ScanStep
      made={made}
      onBack={() => setMade(undefined)}
      onOn={() => {
        setIsOn(true);
        void queryClient.invalidateQueries({ queryKey: ['getMySecurity'] });
        void queryClient.invalidateQueries({ queryKey: ['listSessions'] });
      }}
      onClose={() => onClose(false)}
    />
  );
}

function PasswordStep({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  return (
    <PasswordDialog
      title={TITLE}
      send={(body) => call('setUpTwoFactor', { body })}
      onDone={onMade}
      submit={{ label: 'Next', pending: 'Making your key' }}
      onClose={onClose}
    >
      <Stepper steps={STEPS} current={0} onGoTo={() => undefined} />
      <p className="muted">This stops someone else from doing it on a screen you left open:</p>
    </PasswordDialog>
  );
}

interface ScanStepProps {
  made: Made;
  onBack: () => void;
  onOn: () => void;
  onClose: () => void;
}

function ScanStep({ made, onBack, onOn, onClose }: ScanStepProps) {
  return (
    <TaskDialog
      title={TITLE}
      initial={{ code: '' }}
      check={({ code }) => ({ code: codeProblem('app', code) })}
      send={(body: { code: string }) => call('turnOnTwoFactor', { body })}
      onDone={onOn}
      places={{ code_invalid: 'code' }}
      submit={{ label: 'Turn On', pending: 'Turning on' }}
      onClose={onClose}
    >
      {({ code }) => (
        <>
          <Stepper steps={STEPS} current={1} onGoTo={onBack} />
          <ScanCode uri={made.uri} secret={made.key} />
          <CodeField
            label="Six-digit code"
            kind="app"
            isRequired
            hint="The app shows a new one every 30 seconds."
            {...code}
          />
        </>
      )}
    </TaskDialog>
  );
}

function CodesStep({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <RecoveryCodesDialog title={TITLE} codes={codes} onClose={onClose}>
      <Stepper steps={STEPS} current={2} onGoTo={() => undefined} />
      <Notice tone="positive" role="status">
        <strong>Two-factor is on.</strong> From now on we ask for six digits after your password.
      </Notice>
    </RecoveryCodesDialog>
  );
}

interface ScanCodeProps {
  /** `otpauth://totp/...` */
  uri: string;
  /** The secret in it, in base 32. */
  secret: string;
}

/** The secret for the authenticator app: a picture to scan, or a key to type. */
function ScanCode({ uri, secret }: ScanCodeProps) {
  return (
    <div className="scan">
      <QrCode text={uri} label="QR code for your authenticator app" />
      <ol className="scan__steps">
        <li>
          <p>Open an authenticator app on your phone.</p>
          <p className="meta">
            Such as 1Password, Google Authenticator or Microsoft Authenticator.
          </p>
        </li>
        <li>
          <p>Scan this picture with it.</p>
          <p className="meta">Or type the key:</p>
          <p className="scan__key num">
            {secret.match(/.{1,4}/g)?.join(' ')} <CopyValue value={secret} label="Copy the key" />
          </p>
        </li>
        <li>
          <p>Type the six digits it shows.</p>
        </li>
      </ol>
    </div>
  );
}
