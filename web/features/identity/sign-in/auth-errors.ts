import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';

interface ToastWords {
  title: string;
  message: string;
}

/**
 * Words about a refused sign-in or sign-up.
 *
 * @param fallback sentence for a failure that has no reason a person could act on
 */
export function authErrorWords(error: unknown, fallback = 'Failed to authenticate'): ToastWords {
  const code = error instanceof ApiError ? error.problem.code : null;
  switch (code) {
    case 'account_exists':
      return {
        title: 'Account exists',
        message: 'This email is already registered. Please sign in instead.',
      };
    case 'invalid_credentials':
      return {
        title: 'Invalid credentials',
        message: 'Please check your email and password and try again.',
      };
    case 'email_not_confirmed':
      return {
        title: 'Email not confirmed',
        message: 'Please check your email and click the confirmation link before signing in.',
      };
    default:
      return {
        title: 'Authentication Error',
        message: isUnexpected(error, code) ? fallback : errorMessage(error, fallback),
      };
  }
}

/** True for a fault of ours: neither a refusal nor a connection that failed. */
function isUnexpected(error: unknown, code: ApiError['problem']['code'] | null): boolean {
  if (error instanceof ApiError) return code === 'internal';
  return !(error instanceof UnknownOutcomeError);
}

/** Shows {@link authErrorWords} as a toast. */
export function toastAuthError(error: unknown, fallback?: string): void {
  toast({ ...authErrorWords(error, fallback), tone: 'critical' });
}

/** Words about a reply to a sign-in that names nobody. */
export function toastNobodySignedIn(): void {
  toast({ title: 'Authentication Error', message: 'Authentication failed', tone: 'critical' });
}
