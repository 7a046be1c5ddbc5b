import { Link } from '@tanstack/react-router';
import type { KycApplication, KycDocument } from '#contract/api.ts';
import {
  APPLICATION_DOCUMENT_TYPES,
  KYC_DOCUMENT_LABELS,
  requiredFields,
  type ApplicationDocumentType,
} from '#contract/kyc.ts';
import type { Currency } from '#contract/money.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { fieldOf } from '#web/features/kyc/answer-values.ts';
import { ANSWER_LABELS, answerText } from '#web/features/kyc/answer-words.ts';
import { DocumentImage } from '#web/features/kyc/document-image.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { FormSummary, type FormProblem } from '#web/ui/form-summary.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Status } from '#web/ui/status.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ReviewerNotes } from './reviewer-notes.tsx';
import { WIZARD_STEPS, countRequired, hasDocument, isRequired, notesFor } from './wizard-plan.ts';

interface ReviewStepProps {
  application: KycApplication;
  documents: readonly KycDocument[];
  problems: readonly FormProblem[];
  /** Counts the attempts to submit. */
  attempt: number;
}

/** Step 8 of the wizard: every answer once more, each with a way to change it. */
export function ReviewStep({ application, documents, problems, attempt }: ReviewStepProps) {
  const { currency } = useCompany();
  const required = countRequired(application);
  const total = requiredFields(application.answers.country).length;
  const uploaded = APPLICATION_DOCUMENT_TYPES.filter((type) => hasDocument(documents, type)).length;
  const counted = `${required} of ${total} required fields complete`;
  return (
    <>
      <FormSummary
        title="Please complete these before you submit"
        problems={problems}
        attempt={attempt}
      />
      <div className="complete num">
        <span className="strong">{counted}</span>
        <span className="muted">
          {uploaded} of {APPLICATION_DOCUMENT_TYPES.length} documents uploaded
        </span>
        <ProgressBar label="Required fields" value={required} max={total} valueText={counted} />
      </div>
      {WIZARD_STEPS.map(({ title, section, answers, documents: types }, index) =>
        section === undefined ? null : (
          <section className="check-section" key={title} aria-labelledby={`check-${section}`}>
            <h2 className="section-title check-section__head" id={`check-${section}`}>
              {title}
            </h2>
            <ReviewerNotes notes={notesFor(index + 1, application)} />
            <Facts
              isTight
              facts={answers.flatMap((name) =>
                factOf(application, name, { step: index + 1, currency }),
              )}
            />
            {types !== undefined && (
              <div className="thumbs">
                {types.map((type) => (
                  <Thumb key={type} type={type} step={index + 1} documents={documents} />
                ))}
              </div>
            )}
          </section>
        ),
      )}
    </>
  );
}

/** The lines of an address are read back together. */
const ADDRESS_PARTS: readonly KycAnswerName[] = ['addressLine2', 'city', 'state', 'postalCode'];

function factOf(
  application: KycApplication,
  name: KycAnswerName,
  { step, currency }: { step: number; currency: Currency },
): Fact[] {
  const isAddress = name === 'addressLine1';
  const missing = [name, ...(isAddress ? ADDRESS_PARTS : [])].filter(
    (part) => isRequired(part, application.answers.country) && !application.answered.includes(part),
  );
  if (ADDRESS_PARTS.includes(name)) {
    // Shown with the first line; alone only while it is what is missing.
    return missing.length === 0 ? [] : [fact(name, ANSWER_LABELS[name], undefined, step)];
  }
  const label = isAddress ? 'Address' : ANSWER_LABELS[name];
  const value = isAddress ? (
    <Address application={application} />
  ) : (
    answerText(application, name, currency)
  );
  return [fact(name, label, missing.includes(name) ? undefined : value, step)];
}

function fact(name: KycAnswerName, label: string, value: Fact['value'], step: number): Fact {
  const words = sentenceCase(label);
  return {
    label: words,
    value: value ?? <span className="faint">Not provided</span>,
    action: <ChangeLink step={step} field={fieldOf(name)} what={words} />,
  };
}

/** "Date of Birth" reads "Date of birth" in a list; abbreviations stay as they are. */
function sentenceCase(label: string): string {
  const [first = '', ...rest] = label.split(' ');
  return [first, ...rest.map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))].join(
    ' ',
  );
}

/** Within a sentence: "date of birth", but "ID type". */
function asObject(label: string): string {
  return /^[A-Z]{2,}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

function Address({ application: { answers } }: { application: KycApplication }) {
  const street = [answers.addressLine1, answers.addressLine2].filter(Boolean).join(', ');
  const region = [answers.state, answers.postalCode].filter(Boolean).join(' ');
  const town = [answers.city, region].filter(Boolean).join(', ');
  return (
    <>
      {street}
      {town !== '' && <br />}
      {town}
    </>
  );
}

interface ThumbProps {
  type: ApplicationDocumentType;
  step: number;
  documents: readonly KycDocument[];
}

function Thumb({ type, step, documents }: ThumbProps) {
  const document = documents.find((each) => each.type === type);
  const label = KYC_DOCUMENT_LABELS[type];
  return (
    <div className="thumb">
      <div className="thumb__image">
        {document !== undefined && <DocumentImage document={document} />}
      </div>
      <div>
        <p className="strong">{label}</p>
        <p className="meta thumb__name">{document?.fileName ?? 'Not uploaded'}</p>
        {document?.status === 'rejected' && <Status status="rejected" />}
        <ChangeLink step={step} field={type} what={label} />
      </div>
    </div>
  );
}

interface ChangeLinkProps {
  step: number;
  /** The name of the field to begin at. */
  field: string;
  what: string;
}

/** Leads to the field of an answer. The summary of problems leads here by its name. */
function ChangeLink({ step, field, what }: ChangeLinkProps) {
  return (
    <Link
      className="link"
      to="/onboarding"
      search={{ step: String(step) }}
      hash={field}
      data-field={field}
    >
      Change<VisuallyHidden> {asObject(what)}</VisuallyHidden>
    </Link>
  );
}
