import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

const TwoFactorSetup = loadedDialog(
  async () => (await import('./two-factor-setup.tsx')).TwoFactorSetup,
);

interface RequiredTwoFactorProps {
  companyName: string;
  isSigningOut: boolean;
  onSignOut: () => void;
  /** It is on, and the recovery codes were kept. */
  onDone: () => void;
}

/** An administrator whose company requires two-factor sets it up before anything else. */
export function RequiredTwoFactor(props: RequiredTwoFactorProps) {
  const { companyName, isSigningOut, onSignOut, onDone } = props;
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);

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
        <Button isPending={isSigningOut} pendingLabel="Logging out" onPress={onSignOut}>
          Log out
        </Button>
      </div>
      {isOpen && (
        <TwoFactorSetup
          onClose={(isOn) => {
            setIsOpen(false);
            if (isOn) void queryClient.invalidateQueries({ queryKey: ['getSession'] }).then(onDone);
          }}
        />
      )}
    </div>
  );
}
