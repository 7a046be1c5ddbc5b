import type { ApplicationReview } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES, requiredFields } from '#contract/kyc.ts';
import type { Currency } from '#contract/money.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { answerText, wordsOfAnswer } from '#web/features/kyc/answer-words.ts';
import { useCompany } from '#web/lib/company.ts';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

type Application = ApplicationReview['application'];

/** A line of the facts: what it is called here, and the answer it shows. */
type Line = readonly [label: string, name: KycAnswerName];

/** In the order of the documents and of the wizard; short labels, to be read next to an image. */
const GROUPS: readonly { title: string; lines: readonly Line[] }[] = [
  {
    title: 'Personal information',
    lines: [
      ['Full name', 'fullName'],
      ['Date of birth', 'dateOfBirth'],
      ['Gender', 'gender'],
      ['Nationality', 'nationality'],
    ],
  },
  {
    title: 'Contact details',
    lines: [
      ['Address', 'addressLine1'],
      ['Phone', 'phoneNumber'],
      ['Email', 'email'],
    ],
  },
  {
    title: 'Identification',
    lines: [
      ['ID type', 'idType'],
      ['ID number', 'idNumber'],
      ['Expiry', 'idExpiryDate'],
    ],
  },
  {
    title: 'Employment',
    lines: [
      ['Status', 'employmentStatus'],
      ['Employer', 'employerName'],
      ['Occupation', 'occupation'],
      ['Monthly income', 'monthlyIncomeRange'],
      ['Source of funds', 'sourceOfFunds'],
    ],
  },
  {
    title: 'Security',
    lines: [
      ['Question', 'securityQuestion'],
      ['Answer', 'securityAnswerHash'],
    ],
  },
  {
    title: 'Compliance',
    lines: [
      ['PEP, 12 months', 'pep'],
      ['Dual citizenship', 'dualCitizenship'],
      ['Foreign tax', 'foreignTaxObligations'],
      ['Account purpose', 'accountPurpose'],
      ['Monthly volume', 'expectedMonthlyTxVolume'],
    ],
  },
];

/** Everything an applicant answered, and how complete it is. */
export function ApplicationFacts({ application }: { application: Application }) {
  const { currency } = useCompany();
  return (
    <>
      <Completeness application={application} />
      {GROUPS.map(({ title, lines }) => (
        <section className="review-group" key={title}>
          <h3>{title}</h3>
          <Facts isTight facts={lines.map((line) => factOf(application, line, currency))} />
        </section>
      ))}
    </>
  );
}

/** "21 of 21 required answers, 2 of 2 documents" */
function Completeness({ application }: { application: Application }) {
  const { answers, answered, documents } = application;
  const names = requiredFields(answers.country);
  const given = names.filter((name) => answered.includes(name)).length;
  const required = names.length;
  const needed = APPLICATION_DOCUMENT_TYPES.length;
  const words = `${given} of ${required} required answers, ${documents.length} of ${needed} documents`;
  return (
    <div className="review-complete">
      <p className="num">{words}</p>
      <ProgressBar
        label="Completeness"
        value={given + documents.length}
        max={required + needed}
        valueText={words}
      />
    </div>
  );
}

function factOf(application: Application, [label, name]: Line, currency: Currency): Fact {
  const text = answerText(application, name, currency);
  if (text === undefined) return { label, value: <span className="faint">Not provided</span> };
  if (name === 'addressLine1') return { label, value: <Address application={application} /> };
  return { label, value: text };
}

function Address({ application }: { application: Application }) {
  const { addressLine1, addressLine2, city, state, postalCode } = application.answers;
  const region = [state, postalCode].filter(Boolean).join(' ');
  const lines = [
    [addressLine1, addressLine2].filter(Boolean).join(', '),
    [city, region].filter(Boolean).join(', '),
    wordsOfAnswer(application, 'country'),
  ];
  return lines.filter(Boolean).map((line) => (
    <span className="review-line" key={line}>
      {line}
    </span>
  ));
}
