import { passwordStrength } from '#contract/identity.ts';
import { PASSWORD_MIN_LENGTH, PASSWORD_MIN_STRENGTH } from '#contract/limits.ts';
import type { Problems } from '#web/lib/form.ts';

export interface NewPassword {
  password: string;
  confirmation: string;
}

/** What is wrong with a password that somebody chooses and repeats (spec, section 5). */
export function checkNewPassword({ password, confirmation }: NewPassword): Problems<NewPassword> {
  const problems: Problems<NewPassword> = {};
  if (password.length < PASSWORD_MIN_LENGTH) {
    problems.password = 'Password must be at least 8 characters long.';
  } else if (passwordStrength(password).score < PASSWORD_MIN_STRENGTH) {
    problems.password = 'Choose a stronger password';
  }
  if (password !== confirmation) problems.confirmation = 'Passwords do not match';
  return problems;
}
