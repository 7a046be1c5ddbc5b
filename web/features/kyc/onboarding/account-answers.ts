import type { KycApplication, User } from '#contract/api.ts';
import { answerOf, type AnswerValues } from '#web/features/kyc/answer-values.ts';

type AccountField = 'fullName' | 'email';

/**
 * What the account says and the application does not yet: the name and the e-mail address. They are
 * answers like any other from then on. Only an application that was never submitted takes them.
 */
export function accountAnswers(
  { status, answered }: Pick<KycApplication, 'status' | 'answered'>,
  { firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>,
): [AccountField, AnswerValues[AccountField]][] {
  if (status !== 'in_progress') return [];
  const known: [AccountField, string][] = [
    ['fullName', `${firstName} ${lastName}`.trim()],
    ['email', email],
  ];
  return known.filter(([field, value]) => value !== '' && !answered.includes(answerOf(field)));
}
