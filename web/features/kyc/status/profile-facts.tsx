import type { KycApplication, User } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { fullName } from '#contract/person-name.ts';
import { ANSWER_LABELS, answerText } from '#web/features/kyc/answer-words.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import './identity.css';

const SHOWN: readonly KycAnswerName[] = [
  'fullName',
  'dateOfBirth',
  'phoneNumber',
  'addressLine1',
  'addressLine2',
  'city',
  'state',
  'postalCode',
  'country',
];

interface ProfileFactsProps {
  user: User;
  application: KycApplication;
}

/** Who the person is; personal data is the identity application's and cannot be edited here. */
export function ProfileFacts({ user, application }: ProfileFactsProps) {
  return (
    <>
      <div className="profile__photo">
        <Avatar name={fullName(user)} />
        <Button why="Photos cannot be changed yet.">Change Photo</Button>
      </div>
      <p className="muted">
        Your personal data comes from your identity application.{' '}
        <TextLink href="/employee/kyc-status">See KYC Status</TextLink>
      </p>
      <Facts
        facts={[
          { label: 'Email', value: user.email },
          { label: 'Employee ID', value: user.employeeId },
          { label: 'Department', value: DEPARTMENTS[user.department] },
          { label: 'Position', value: user.position },
          ...SHOWN.map((name) => ({
            label: ANSWER_LABELS[name],
            value: answerText(application, name) ?? <span className="faint">Not provided</span>,
          })),
        ]}
      />
    </>
  );
}
