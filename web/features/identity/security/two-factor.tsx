import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { RECOVERY_CODES } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

type Opened = 'set-up' | 'turn-off' | 'new-codes';
type Active = NonNullable<RouteReply<'getMySecurity'>['twoFactor']>;

/** Whether two-factor is on, and what can be done about it. */
export function TwoFactor() {
  const security = useQuery(apiQuery('getMySecurity', {}));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const active = security.data?.twoFactor;
  const titleId = useId();
  return (
    <section className="sheet" aria-labelledby={titleId}>
      <div className="sheet__head">
        <h2 className="section-title" id={titleId}>
          Two-factor authentication
        </h2>
        {security.data && <Status status={active === null ? 'off' : 'on'} />}
      </div>
      <div className="sheet__body">
        <LoadedQuery query={security} what="two-factor" lines={3} />
        {active === null && <TwoFactorOff onSetUp={() => setOpened('set-up')} />}
        {active && <TwoFactorOn active={active} onNewCodes={() => setOpened('new-codes')} />}
      </div>
      {active && (
        <div className="sheet__foot">
          <Button kind="danger" shape="text" onPress={() => setOpened('turn-off')}>
            Turn off
          </Button>
        </div>
      )}
      {opened === 'set-up' && <TwoFactorSetup onClose={close} />}
      {opened === 'turn-off' && <TurnOffDialog onClose={close} />}
      {opened === 'new-codes' && <NewCodesDialog onClose={close} />}
    </section>
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

const NO_PASSWORD = { password: 'Enter your current password' };

function usePasswordState() {
  return useFormState({
    initial: { password: '' },
    check: ({ password }) => (password === '' ? NO_PASSWORD : {}),
  });
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const state = usePasswordState();
  const task = useFormTask(state, {
    send: (body: { password: string }) => call('turnOffTwoFactor', { body }),
    onDone: () => {
      toast({ title: 'Two-factor is off', tone: 'positive' });
      void queryClient.invalidateQueries({ queryKey: ['getMySecurity'] });
      void queryClient.invalidateQueries({ queryKey: ['getSession'] });
      void queryClient.invalidateQueries({ queryKey: ['listSessions'] });
      onClose();
    },
    places: { invalid_password: 'password' },
  });
  return (
    <FormDialog
      title="Turn off two-factor?"
      state={state}
      task={task}
      submit={{ label: 'Turn Off', pending: 'Turning off', kind: 'danger' }}
      cancel="Keep It On"
      onClose={onClose}
    >
      {({ password }) => (
        <>
          <p>Your password alone will then open your account. Your recovery codes stop working.</p>
          <PasswordField
            label="Current Password"
            isRequired
            autoComplete="current-password"
            {...password}
          />
        </>
      )}
    </FormDialog>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const state = usePasswordState();
  const task = useFormTask(state, {
    send: (body: { password: string }) => call('renewRecoveryCodes', { body }),
    onDone: ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      void queryClient.invalidateQueries({ queryKey: ['getMySecurity'] });
    },
    places: { invalid_password: 'password' },
  });
  if (codes !== undefined) {
    return <RecoveryCodesDialog title="New recovery codes" codes={codes} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Make new codes?"
      state={state}
      task={task}
      submit={{ label: 'Make New Codes', pending: 'Making codes' }}
      onClose={onClose}
    >
      {({ password }) => (
        <>
          <p>Your current codes stop working.</p>
          <PasswordField
            label="Current Password"
            isRequired
            autoComplete="current-password"
            {...password}
          />
        </>
      )}
    </FormDialog>
  );
}
