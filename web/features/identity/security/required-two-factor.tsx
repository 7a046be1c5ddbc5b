import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

const TwoFactorSetup = loadedDialog(
  async () => (await import('./two-factor-setup.tsx')).TwoFactorSetup,
);

interface RequiredTwoFactorProps {
  companyName: string;
  /** True if the administrator may go on without it. */
  maySkip: boolean;
  isSigningOut: boolean;
  onSignOut: () => void;
  /** It is on, and the recovery codes were kept; or it is no longer required. */
  onDone: () => void | Promise<void>;
}

/** An administrator whose company requires two-factor sets it up before anything else. */
export function RequiredTwoFactor(props: RequiredTwoFactorProps) {
  const { companyName, maySkip, isSigningOut, onSignOut, onDone } = props;
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [isSkipping, setIsSkipping] = useState(false);
  const goOn = () => queryClient.invalidateQueries({ queryKey: ['getSession'] }).then(onDone);

  return (
    <div className="lone__task">
      <PageTitle>Two-factor sign-in</PageTitle>
      <p className="muted mt-1 mb-6">
        {companyName} requires it for administrators. It takes a minute.
      </p>
      <div className="page-head__actions">
        <Button kind="solid" onPress={() => setIsOpen(true)}>
          Set Up Two-Factor
        </Button>
        {maySkip && <Button onPress={() => setIsSkipping(true)}>Go On Without</Button>}
        <Button isPending={isSigningOut} pendingLabel="Logging out" onPress={onSignOut}>
          Log out
        </Button>
      </div>
      {isOpen && (
        <TwoFactorSetup
          onClose={(isOn) => {
            setIsOpen(false);
            if (isOn) void goOn();
          }}
        />
      )}
      {isSkipping && (
        <SkipTwoFactor
          companyName={companyName}
          onClose={() => setIsSkipping(false)}
          onSkipped={() => void goOn()}
        />
      )}
    </div>
  );
}

interface SkipTwoFactorProps {
  companyName: string;
  onClose: () => void;
  onSkipped: () => void;
}

/** Asks if administrators are to sign in with a password alone. */
function SkipTwoFactor({ companyName, onClose, onSkipped }: SkipTwoFactorProps) {
  const skipping = useAction({
    send: () => call('adminSkipTwoFactor'),
    onDone: onSkipped,
    failed: 'Error',
    hint: 'Two-factor is still required.',
  });
  return (
    <ConfirmDialog
      title="Go on without two-factor?"
      kind="danger"
      keepLabel="Keep Required"
      confirmLabel="Go On Without"
      isPending={skipping.isPending}
      pendingLabel="Saving"
      onClose={onClose}
      onConfirm={() => skipping.mutate()}
    >
      Whoever learns the password of an administrator can then pay out the money of{' '}
      <span className="strong">{companyName}</span>. The choice is recorded with your name. You can
      require two-factor again in Settings.
    </ConfirmDialog>
  );
}
