import { LinkRequestForm } from './link-request-form.tsx';

/** Requests a link to choose a new password. */
export function ForgotPasswordForm() {
  return (
    <LinkRequestForm
      operation="requestPasswordReset"
      label="Send Reset Link"
      sent="If that address has an account, we sent a link to choose a new password. It works for one hour."
    />
  );
}
