import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { RECOVERY_CODES } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

const TwoFactorSetup = loadedDialog(
  async () => (await import('./two-factor-setup.tsx')).TwoFactorSetup,
);

type Opened = 'set-up' | 'turn-off' | 'new-codes';
type Active = NonNullable<RouteReply<'getMySecurity'>['twoFactor']>;

/** State of two-factor, and its acts. */
export function TwoFactor() {
  const security = useQuery(apiQuery('getMySecurity', {}));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const active = security.data?.twoFactor;
  return (
    <>
      <Sheet
        title="Two-factor authentication"
        end={security.data && <Status status={active === null ? 'off' : 'on'} />}
        foot={
          active && (
            <Button kind="danger" shape="text" onPress={() => setOpened('turn-off')}>
              Turn off
            </Button>
          )
        }
      >
        <LoadedQuery query={security} what="two-factor" lines={3} />
        {active === null && <TwoFactorOff onSetUp={() => setOpened('set-up')} />}
        {active && <TwoFactorOn active={active} onNewCodes={() => setOpened('new-codes')} />}
      </Sheet>
      {opened === 'set-up' && <TwoFactorSetup onClose={close} />}
      {opened === 'turn-off' && <TurnOffDialog onClose={close} />}
      {opened === 'new-codes' && <NewCodesDialog onClose={close} />}
    </>
  );
}

function TwoFactorOff({ onSetUp }: { onSetUp: () => void }) {
  return (
    <>
      <p className="muted">
        After your password you enter six digits from an app on your phone. A stolen password is
        then not enough to sign in.
      </p>
      <Button className="mt-4" onPress={onSetUp}>
        Set Up Two-Factor
      </Button>
    </>
  );
}

function TwoFactorOn({ active, onNewCodes }: { active: Active; onNewCodes: () => void }) {
  const { since, recoveryCodesLeft, lastUsedAt } = active;
  return (
    <>
      <Facts
        facts={[
          {
            label: 'Authenticator app',
            value: (
              <>
                Since <Time at={since} as="date" />
              </>
            ),
          },
          {
            label: 'Recovery codes',
            value: `${recoveryCodesLeft} of ${RECOVERY_CODES} left`,
            action: (
              <Button kind="quiet" shape="text" onPress={onNewCodes}>
                Make new codes
              </Button>
            ),
          },
          {
            label: 'Last used',
            value: lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} as="dateTime" />,
          },
        ]}
      />
    </>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  return (
    <PasswordDialog
      title="Turn off two-factor?"
      send={(body) => call('turnOffTwoFactor', { body })}
      topics={['sessions']}
      done={{ title: 'Two-factor is off' }}
      onDone={onClose}
      submit={{ label: 'Turn Off', pending: 'Turning off', kind: 'danger' }}
      cancel="Keep It On"
      onClose={onClose}
    >
      <p>Your password alone will then open your account. Your recovery codes stop working.</p>
    </PasswordDialog>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) {
    return <RecoveryCodesDialog title="New recovery codes" codes={codes} onClose={onClose} />;
  }
  return (
    <PasswordDialog
      title="Make new codes?"
      send={(body) => call('renewRecoveryCodes', { body })}
      topics={['sessions']}
      onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
      submit={{ label: 'Make New Codes', pending: 'Making codes' }}
      onClose={onClose}
    >
      <p>Your current codes stop working.</p>
    </PasswordDialog>
  );
}
