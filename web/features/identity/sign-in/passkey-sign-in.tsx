import { useMutation } from '@tanstack/react-query';
import type { Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { askForPasskey, whyNoPasskeys } from '#web/lib/passkeys.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** Signs in with a passkey in place of address, password and code, where the browser can. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const signIn = useMutation({
    mutationFn: async () => {
      const response = await askForPasskey(await call('beginPasskeySignIn'));
      return call('signInWithPasskey', { body: { response } });
    },
    onSuccess: onSignedIn,
    onError: (error) =>
      toast({
        title: 'Not signed in',
        message: errorMessage(error, 'Please try again, or use your password.'),
        tone: 'critical',
      }),
  });
  if (whyNoPasskeys() !== undefined) return null;
  return (
    <div className="mt-4">
      <Button
        shape="block"
        isPending={signIn.isPending}
        pendingLabel="Waiting for your passkey"
        onPress={() => signIn.mutate()}
      >
        Sign in with a Passkey
      </Button>
    </div>
  );
}
