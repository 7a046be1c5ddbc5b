import { useState } from 'react';
import { dayIn } from '#contract/calendar.ts';
import { errorSentence } from '#contract/errors.ts';
import { issueDateRefusal, KYC_DOCUMENT_LABELS, proofOfAddressFrom } from '#contract/kyc.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDateProblem } from '#web/lib/typed-date.ts';
import { DateField } from '#web/ui/date-field.tsx';

interface IssueDateProps {
  file: File;
  /** @param issuedOn `2026-12-08` */
  onGiven: (issuedOn: string) => void;
  onClose: () => void;
}

/** Asks for the date of issue of a chosen proof of address, before its image is sent. */
export function IssueDate({ file, onGiven, onClose }: IssueDateProps) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const state = useFormState({
    initial: { issuedOn: '' },
    check: ({ issuedOn }) => ({ issuedOn: issueDateProblem(issuedOn, today) }),
  });
  return (
    <FormDialog
      title={KYC_DOCUMENT_LABELS.proof_of_address}
      size="reject"
      state={state}
      task={{
        isPending: false,
        submit: ({ issuedOn }) => onGiven(parseTypedDate(issuedOn) ?? ''),
      }}
      submit={{ label: 'Upload', pending: 'Uploading' }}
      onClose={onClose}
    >
      {({ issuedOn }) => (
        <>
          <p className="wrap muted">{file.name}</p>
          <DateField
            label="Date of Issue"
            isRequired
            hint={`MM/DD/YYYY, as printed on the document. It must be ${formatDay(proofOfAddressFrom(today), 'date')} or later.`}
            min={proofOfAddressFrom(today)}
            max={today}
            {...issuedOn}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The problem with a typed date of issue; undefined where there is none. */
function issueDateProblem(typed: string, today: string): string | undefined {
  if (typed.trim() === '') return errorSentence('issue_date_needed');
  const refusal = issueDateRefusal('proof_of_address', parseTypedDate(typed), today);
  return typedDateProblem(typed) ?? (refusal === null ? undefined : errorSentence(refusal));
}
