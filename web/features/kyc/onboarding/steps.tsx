import type { KycApplication, KycDocument } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { ApplicationDocumentType } from '#contract/kyc.ts';
import {
  COUNTRY_OPTIONS,
  EMPLOYMENT_OPTIONS,
  FUNDS_OPTIONS,
  GENDER_OPTIONS,
  ID_TYPE_OPTIONS,
  incomeOptions,
  QUESTION_OPTIONS,
  volumeOptions,
} from '#web/features/kyc/answer-words.ts';
import type { Upload } from '#web/kit/use-upload.ts';
import { useCompany } from '#web/lib/company.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { countryHint } from './country-hints.ts';
import { DocumentUpload } from './document-upload.tsx';
import { useAnswer, useFlag } from './use-wizard.ts';
import type { Wizard } from './use-wizard.ts';
import { stepAt } from './wizard-plan.ts';

interface StepContentProps {
  step: number;
  wizard: Wizard;
  application: KycApplication;
  uploads: Record<ApplicationDocumentType, Upload>;
}

/** The fields of one of the steps that ask something. */
export function StepContent({ step, wizard, application, uploads }: StepContentProps) {
  switch (stepAt(step).section) {
    case 'personal':
      return <PersonalStep wizard={wizard} />;
    case 'contact':
      return <ContactStep wizard={wizard} />;
    case 'identification':
      return (
        <IdentificationStep
          wizard={wizard}
          documents={application.documents}
          notes={application.resubmissionNotes}
          uploads={uploads}
        />
      );
    case 'employment':
      return <EmploymentStep wizard={wizard} isFirst={application.status === 'in_progress'} />;
    case 'security':
      return (
        <SecurityStep
          wizard={wizard}
          isAnswered={application.answered.includes('securityAnswerHash')}
        />
      );
    case 'compliance':
      return <ComplianceStep wizard={wizard} />;
    default:
      return null;
  }
}

/** Step 2 of the wizard. */
function PersonalStep({ wizard }: { wizard: Wizard }) {
  const fullName = useAnswer(wizard, 'fullName');
  const dateOfBirth = useAnswer(wizard, 'dateOfBirth');
  const gender = useAnswer(wizard, 'gender');
  const nationality = useAnswer(wizard, 'nationality');
  return (
    <>
      <TextField autoComplete="name" {...fullName} />
      <div className="form__row">
        <DateField autoComplete="bday" max={wizard.today} {...dateOfBirth} />
        <Select optional placeholder="Choose, if you like" options={GENDER_OPTIONS} {...gender} />
      </div>
      <Select placeholder="Choose a country" options={COUNTRY_OPTIONS} {...nationality} />
    </>
  );
}

/** Step 3 of the wizard. The country comes first, since state and postal code depend on it. */
function ContactStep({ wizard }: { wizard: Wizard }) {
  const country = useAnswer(wizard, 'country');
  const addressLine1 = useAnswer(wizard, 'addressLine1');
  const addressLine2 = useAnswer(wizard, 'addressLine2');
  const city = useAnswer(wizard, 'city');
  const state = useAnswer(wizard, 'state');
  const postalCode = useAnswer(wizard, 'postalCode');
  const phoneNumber = useAnswer(wizard, 'phoneNumber');
  const email = useAnswer(wizard, 'email');
  const hint = countryHint(country.value);
  return (
    <>
      <Select placeholder="Choose a country" options={COUNTRY_OPTIONS} {...country} />
      <TextField autoComplete="address-line1" hint="Street and number" {...addressLine1} />
      <TextField
        optional
        autoComplete="address-line2"
        hint="Apartment, unit or floor"
        {...addressLine2}
      />
      <TextField autoComplete="address-level2" {...city} />
      <div className="form__row">
        <TextField autoComplete="address-level1" hint={hint.state} {...state} />
        <TextField
          autoComplete="postal-code"
          hint={hint.postalCode}
          optional={!postalCode.isRequired}
          {...postalCode}
        />
      </div>
      <div className="form__row">
        <TextField
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          hint="With the country code, if it is not from the United States"
          {...phoneNumber}
        />
        <TextField type="email" inputMode="email" autoComplete="email" {...email} />
      </div>
    </>
  );
}

const RULES: Record<ApplicationDocumentType, string> = {
  id_front: 'The side with your photo, in color',
  id_back: 'Barcode side, in color',
};

interface IdentificationStepProps {
  wizard: Wizard;
  documents: readonly KycDocument[];
  /** The reviewer's note about the whole application. */
  notes: string | null;
  uploads: Record<ApplicationDocumentType, Upload>;
}

/** Step 4 of the wizard. */
function IdentificationStep(props: IdentificationStepProps) {
  const { wizard, documents, notes, uploads } = props;
  const idType = useAnswer(wizard, 'idType');
  const idNumber = useAnswer(wizard, 'idNumber');
  const idExpiryDate = useAnswer(wizard, 'idExpiryDate');
  return (
    <>
      <Select placeholder="Choose a document" options={ID_TYPE_OPTIONS} {...idType} />
      <div className="form__row">
        <TextField autoComplete="off" hint="Exactly as printed on the document." {...idNumber} />
        <DateField autoComplete="off" min={wizard.today} {...idExpiryDate} />
      </div>
      <fieldset>
        <legend className="section-title">Document images</legend>
        <p className="muted">
          JPEG, PNG or WebP, up to 5 MB each. All four corners visible, no glare.
        </p>
        <div className="uploads">
          {APPLICATION_DOCUMENT_TYPES.map((type) => (
            <DocumentUpload
              key={type}
              type={type}
              rule={RULES[type]}
              document={documents.find((document) => document.type === type)}
              upload={uploads[type]}
              notes={notes}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

interface EmploymentStepProps {
  wizard: Wizard;
  /** The application was never submitted. */
  isFirst: boolean;
}

/** Step 5 of the wizard. An employee is not asked for the employer, which is this company. */
function EmploymentStep({ wizard, isFirst }: EmploymentStepProps) {
  const employmentStatus = useAnswer(wizard, 'employmentStatus');
  const employerName = useAnswer(wizard, 'employerName');
  const occupation = useAnswer(wizard, 'occupation');
  const monthlyIncomeRange = useAnswer(wizard, 'monthlyIncomeRange');
  const sourceOfFunds = useAnswer(wizard, 'sourceOfFunds');
  const { currency } = useCompany();
  return (
    <>
      <Select placeholder="Choose one" options={EMPLOYMENT_OPTIONS} {...employmentStatus} />
      <div className="form__row">
        {isFirst && employerName.value === wizard.employer ? (
          <TextField isReadOnly hint="You were added as an employee." {...employerName} />
        ) : (
          <TextField optional autoComplete="organization" {...employerName} />
        )}
        <TextField autoComplete="organization-title" {...occupation} />
      </div>
      <div className="form__row">
        <Select
          placeholder="Choose a range"
          options={incomeOptions(currency)}
          {...monthlyIncomeRange}
        />
        <Select placeholder="Choose one" options={FUNDS_OPTIONS} {...sourceOfFunds} />
      </div>
    </>
  );
}

interface SecurityStepProps {
  wizard: Wizard;
  /** An answer is kept already; nobody can read it back. */
  isAnswered: boolean;
}

/** Step 6 of the wizard. */
function SecurityStep({ wizard, isAnswered }: SecurityStepProps) {
  const securityQuestion = useAnswer(wizard, 'securityQuestion');
  const securityAnswer = useAnswer(wizard, 'securityAnswer');
  const kept = 'An answer is set. It is never shown; type another to replace it.';
  const fresh =
    'Upper and lower case do not matter. Only a one-way code of your answer is sent, never the answer itself.';
  return (
    <>
      <Select placeholder="Choose a question" options={QUESTION_OPTIONS} {...securityQuestion} />
      <TextField
        autoComplete="off"
        hint={isAnswered && securityAnswer.value === '' ? kept : fresh}
        {...securityAnswer}
      />
    </>
  );
}

/** Step 7 of the wizard. */
function ComplianceStep({ wizard }: { wizard: Wizard }) {
  const pep = useFlag(wizard, 'pep');
  const dualCitizenship = useFlag(wizard, 'dualCitizenship');
  const foreignTaxObligations = useFlag(wizard, 'foreignTaxObligations');
  const accountPurpose = useAnswer(wizard, 'accountPurpose');
  const expectedMonthlyTxVolume = useAnswer(wizard, 'expectedMonthlyTxVolume');
  const { currency } = useCompany();
  return (
    <>
      <fieldset className="form">
        <legend className="field__label">Check what applies to you</legend>
        <Checkbox
          label="I am a politically exposed person, or was in the last 12 months"
          hint="A person who holds a prominent public office, or someone close to them."
          {...pep}
        />
        <Checkbox label="I have dual citizenship" {...dualCitizenship} />
        <Checkbox label="I have tax obligations in another country" {...foreignTaxObligations} />
      </fieldset>
      <TextArea
        rows={2}
        placeholder="Receive my salary and save for retirement"
        {...accountPurpose}
      />
      <Select
        placeholder="Choose an amount"
        options={volumeOptions(currency)}
        hint="About how much will pass through your account each month."
        {...expectedMonthlyTxVolume}
      />
    </>
  );
}
