import { ApiError } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';

/** Says why signing in or up was refused, in the catalogue's words. */
export function toastAuthError(error: unknown): void {
  const code = error instanceof ApiError ? error.problem.code : null;
  if (code === 'account_exists') {
    toast({
      title: 'Account exists',
      message: 'This email is already registered. Please sign in instead.',
      tone: 'critical',
    });
  } else if (code === 'invalid_credentials') {
    toast({
      title: 'Invalid credentials',
      message: 'Please check your email and password and try again.',
      tone: 'critical',
    });
  } else if (code === 'email_not_confirmed') {
    toast({
      title: 'Email not confirmed',
      message: 'Please check your email and click the confirmation link before signing in.',
      tone: 'critical',
    });
  } else {
    toast({
      title: 'Authentication Error',
      message: errorMessage(error, 'Failed to authenticate'),
      tone: 'critical',
    });
  }
}
