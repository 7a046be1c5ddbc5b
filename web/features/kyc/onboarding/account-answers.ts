import type { KycApplication, User } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { answerOf, type AnswerValues } from '#web/features/kyc/answer-values.ts';

type AccountField = 'fullName' | 'email' | 'employerName';

type Account = Pick<User, 'firstName' | 'lastName' | 'email' | 'employeeId'>;

/**
 * Answers that the account has and the application does not yet: name, e-mail address and, of an employee, the
 * employer. They are answers like any other from then on. Only an application that was never submitted takes them, and
 * the employer only one that nothing was answered in yet.
 */
export function accountAnswers(
  { status, answered }: Pick<KycApplication, 'status' | 'answered'>,
  { firstName, lastName, email, employeeId }: Account,
  companyName: string,
): [AccountField, AnswerValues[AccountField]][] {
  if (status !== 'in_progress') return [];
  const known: [AccountField, string][] = [
    ['fullName', fullName({ firstName, lastName })],
    ['email', email],
    ['employerName', employeeId === null || answered.length > 0 ? '' : companyName],
  ];
  return known.filter(([field, value]) => value !== '' && !answered.includes(answerOf(field)));
}
