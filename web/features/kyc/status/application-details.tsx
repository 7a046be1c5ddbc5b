import type { KycApplication } from '#contract/api.ts';
import { KYC_ADDRESS } from '#contract/kyc.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import {
  ANSWER_LABELS,
  answerText,
  EMPLOYMENT_ANSWERS,
  COMPLIANCE_ANSWERS,
} from '#web/features/kyc/answer-words.ts';
import { useCompany } from '#web/lib/company.ts';
import { Facts } from '#web/ui/facts.tsx';
import './identity.css';

const SECTIONS: readonly { title: string; answers: readonly KycAnswerName[] }[] = [
  {
    title: 'Personal Information',
    answers: ['fullName', 'dateOfBirth', 'gender', 'nationality'],
  },
  { title: 'Contact Details', answers: ['email', 'phoneNumber'] },
  {
    title: 'Address',
    answers: KYC_ADDRESS,
  },
  { title: 'Identification', answers: ['idType', 'idNumber', 'idExpiryDate'] },
  {
    title: 'Employment',
    answers: EMPLOYMENT_ANSWERS,
  },
  {
    title: 'Compliance',
    answers: COMPLIANCE_ANSWERS,
  },
];

/** Every answer of the application, to be read. */
export function ApplicationDetails({ application }: { application: KycApplication }) {
  const { currency } = useCompany();
  return (
    <div className="application-details">
      {SECTIONS.map(({ title, answers }) => (
        <section key={title}>
          <h3 className="check-section__head strong">{title}</h3>
          <Facts
            isTight
            facts={answers.map((name) => ({
              label: ANSWER_LABELS[name],
              value: answerText(application, name, currency) ?? (
                <span className="faint">Not provided</span>
              ),
            }))}
          />
        </section>
      ))}
    </div>
  );
}
