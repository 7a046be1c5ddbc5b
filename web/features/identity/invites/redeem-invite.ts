import { ApiError, call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { toast } from '#web/ui/toast-queue.ts';

/**
 * Makes the signed-in person an admin.
 *
 * @throws ReadableError where the server answered, but not that it was done; ApiError where it refused
 */
export async function redeemInvite(token: string): Promise<void> {
  const reply: { success?: boolean } = await call('redeemInvite', { body: { token } });
  if (reply.success !== true) throw new ReadableError('Unable to redeem token');
}

/** Shows why an invite was not redeemed. */
export function toastRedemptionError(error: unknown): void {
  const isSignedOut = error instanceof ApiError && error.problem.code === 'unauthenticated';
  toast({
    tone: 'critical',
    ...(isSignedOut
      ? { title: 'Sign in required', message: SIGN_IN_FIRST }
      : {
          title: 'Redemption failed',
          message: errorMessage(error, 'Please check your token and try again.'),
        }),
  });
}

export const SIGN_IN_FIRST = 'Please sign in before redeeming an admin invite.';
