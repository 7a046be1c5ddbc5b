import type { ReactNode } from 'react';
import type { KycApplication, User } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { KYC_ADDRESS } from '#contract/kyc.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { fullName } from '#contract/person-name.ts';
import { ANSWER_LABELS, answerText } from '#web/features/kyc/answer-words.ts';
import { useCompany } from '#web/lib/company.ts';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import './identity.css';

const SHOWN: readonly KycAnswerName[] = ['fullName', 'dateOfBirth', 'phoneNumber', ...KYC_ADDRESS];

interface ProfileFactsProps {
  user: User;
  application: KycApplication;
  /** The person's picture, with its buttons. */
  photo: ReactNode;
}

/** Facts about the person; they come from the identity application and cannot be edited here. */
export function ProfileFacts({ user, application, photo }: ProfileFactsProps) {
  const { currency } = useCompany();
  const name = fullName(user);
  const isRenamed =
    application.answers.fullName !== undefined && application.answers.fullName !== name;
  return (
    <>
      {photo}
      <p className="muted">
        Your personal data comes from your identity application.{' '}
        <TextLink href="/employee/kyc-status">See KYC Status</TextLink>
      </p>
      <Facts
        facts={[
          // The application has another one after a correction, until it is submitted again.
          ...(isRenamed ? [{ label: 'Name', value: name }] : []),
          { label: 'Email', value: user.email },
          { label: 'Employee ID', value: user.employeeId },
          { label: 'Department', value: DEPARTMENTS[user.department] },
          { label: 'Position', value: user.position },
          ...SHOWN.map((answer) => ({
            label: ANSWER_LABELS[answer],
            value: answerText(application, answer, currency) ?? (
              <span className="faint">Not provided</span>
            ),
          })),
        ]}
      />
    </>
  );
}
