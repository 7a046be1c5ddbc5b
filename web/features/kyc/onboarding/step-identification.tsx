import type { KycDocument } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES, type ApplicationDocumentType } from '#contract/kyc.ts';
import { ID_TYPE_OPTIONS } from '#web/features/kyc/answer-words.ts';
import type { Upload } from '#web/kit/use-upload.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DocumentUpload } from './document-upload.tsx';
import { useAnswer, type Wizard } from './use-wizard.ts';

const RULES: Record<ApplicationDocumentType, string> = {
  id_front: 'The side with your photo, in color',
  id_back: 'Barcode side, in color',
};

interface IdentificationStepProps {
  wizard: Wizard;
  documents: readonly KycDocument[];
  /** What the reviewer wrote about the whole application. */
  notes: string | null;
  uploads: Record<ApplicationDocumentType, Upload>;
}

/** Step 4 of the wizard. */
export function IdentificationStep(props: IdentificationStepProps) {
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
              today={wizard.today}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
