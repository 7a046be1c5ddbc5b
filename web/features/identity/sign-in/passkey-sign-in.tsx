import type { Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { askForPasskey, whyNoPasskeys } from '#web/lib/passkeys.ts';

/** Signs in with a passkey in place of address, password and code, where the browser can. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const signIn = useAction({
    send: async () => {
      const response = await askForPasskey(await call('beginPasskeySignIn'));
      return call('signInWithPasskey', { body: { response } });
    },
    onDone: onSignedIn,
    failed: 'Not signed in',
    hint: 'Please try again, or use your password.',
  });
  if (whyNoPasskeys() !== undefined) return null;
  return (
    <div className="mt-4">
      <ActionButton shape="block" action={signIn} pending="Waiting for your passkey">
        Sign in with a Passkey
      </ActionButton>
    </div>
  );
}
