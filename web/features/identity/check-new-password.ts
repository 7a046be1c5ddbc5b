import { newPasswordProblem } from '#contract/passwords.ts';
import type { Problems } from '#web/lib/form.ts';

export interface NewPassword {
  password: string;
  confirmation: string;
}

/** Message for a password that is not repeated. */
export const MISMATCH = 'Passwords do not match';

/**
 * Faults of a password that a person chooses and repeats. Whether it is a common one, or holds a
 * name, the server says: the browser loads no list of them.
 */
export function checkNewPassword({ password, confirmation }: NewPassword): Problems<NewPassword> {
  return {
    password: newPasswordProblem(password),
    confirmation: password === confirmation ? undefined : MISMATCH,
  };
}
