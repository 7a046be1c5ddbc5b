import { useQuery } from '@tanstack/react-query';
import type { ApplicationReview } from '#contract/api.ts';
import { kycAnswerRules } from '#contract/kyc-answer-rules.ts';
import { needsPostalCode, postalCodeProblem } from '#contract/postal-codes.ts';
import { correctionReasonRule } from '#contract/reasons.ts';
import { problemOf, problemUnlessEmpty } from '#contract/rules.ts';
import type { COUNTRIES } from '#contract/postal-codes.ts';
import { call } from '#web/api/client.ts';
import { ANSWER_LABELS, COUNTRY_OPTIONS } from '#web/features/kyc/answer-words.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { applicationQuery } from './queries.ts';

type Country = (typeof COUNTRIES)[number];

interface Values {
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  postalCode: string;
  country: Country | '';
  reason: string;
}

interface CorrectAddressProps {
  /** The person's application, which the admin opens by this: it is recorded, and its owner sees it. */
  applicationId: string;
  name: string;
  onClose: () => void;
}

/** Corrects the address in a person's identity application, with a reason. Shown while it is mounted. */
export function CorrectAddress({ applicationId, name, onClose }: CorrectAddressProps) {
  const query = useQuery(applicationQuery(applicationId));
  if (query.data !== undefined) {
    return <AddressForm application={query.data.application} name={name} onClose={onClose} />;
  }
  return (
    <Dialog
      title="Correct Address"
      onClose={onClose}
      actions={<Button onPress={onClose}>Cancel</Button>}
    >
      <LoadedQuery query={query} what="the address" lines={6} />
    </Dialog>
  );
}

interface AddressFormProps {
  application: ApplicationReview['application'];
  name: string;
  onClose: () => void;
}

function AddressForm({ application, name, onClose }: AddressFormProps) {
  const { id, version, answers } = application;
  const { addressLine1, city, state: region, postalCode: code } = kycAnswerRules;
  return (
    <TaskDialog
      title="Correct Address"
      initial={{
        addressLine1: answers.addressLine1 ?? '',
        addressLine2: answers.addressLine2 ?? '',
        city: answers.city ?? '',
        state: answers.state ?? '',
        postalCode: answers.postalCode ?? '',
        country: answers.country ?? '',
        reason: '',
      }}
      check={(values: Values) => {
        const postalCode =
          values.postalCode.trim() === '' && !needsPostalCode(values.country)
            ? undefined
            : (problemOf(code, values.postalCode) ??
              postalCodeProblem(values.country, values.postalCode));
        return {
          ...checkRules(values, { addressLine1, city, state: region }),
          postalCode,
          addressLine2: problemUnlessEmpty(kycAnswerRules.addressLine2, values.addressLine2),
          country: values.country === '' ? 'Choose a country' : undefined,
          ...checkRules(values, { reason: correctionReasonRule }),
        };
      }}
      send={({ country, ...values }) => {
        if (country === '') throw new Error('The check lets no empty choice through');
        return call('adminCorrectAddress', {
          params: { id },
          body: { ...values, country, version },
        });
      }}
      places={{ address_unchanged: 'addressLine1' }}
      topics={['kyc', 'people']}
      done={{ title: 'Address Corrected', message: `${name}.` }}
      summary="Please check the address"
      submit={{ label: 'Correct Address', pending: 'Correcting' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <TextField
            label={ANSWER_LABELS.addressLine1}
            isRequired
            autoComplete="off"
            {...fields.addressLine1}
          />
          <TextField
            label={ANSWER_LABELS.addressLine2}
            optional
            autoComplete="off"
            {...fields.addressLine2}
          />
          <div className="form__row">
            <TextField label={ANSWER_LABELS.city} isRequired autoComplete="off" {...fields.city} />
            <TextField
              label={ANSWER_LABELS.state}
              isRequired
              autoComplete="off"
              {...fields.state}
            />
          </div>
          <div className="form__row">
            <TextField
              label={ANSWER_LABELS.postalCode}
              isRequired={needsPostalCode(fields.country.value)}
              optional={!needsPostalCode(fields.country.value)}
              autoComplete="off"
              {...fields.postalCode}
            />
            <Select<Country>
              label={ANSWER_LABELS.country}
              isRequired
              placeholder="Choose a country"
              options={COUNTRY_OPTIONS}
              {...fields.country}
            />
          </div>
          <TextArea
            label="Reason"
            isRequired
            placeholder="Sent to the employee"
            {...fields.reason}
          />
          <p className="muted">
            The employee is notified and sees the old and the new address. Their identity keeps its
            status.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
