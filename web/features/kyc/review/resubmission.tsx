import type { UseFormReturn } from 'react-hook-form';
import {
  RESUBMISSION_ITEM_LABELS,
  RESUBMISSION_ITEMS,
  type ResubmissionItem,
} from '#contract/kyc.ts';
import { NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from '#contract/limits.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useField } from '#web/lib/form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldNotes } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import {
  checkResubmission,
  itemsOf,
  type ResubmissionInput,
  type ResubmissionValues,
} from './check-resubmission.ts';
import { TemplateMenu, withTemplate } from './templates.tsx';

interface ResubmissionDialogProps {
  /** "Priya Raghunathan" */
  applicant: string;
  /** Notes made at the desk already. */
  notes: string;
  isPending: boolean;
  /** Why it was refused: what was typed stays. */
  refusal: string | undefined;
  onConfirm: (input: ResubmissionInput) => void;
  onClose: () => void;
}

const NOTHING_NAMED = Object.fromEntries(RESUBMISSION_ITEMS.map((item) => [item, null])) as Record<
  ResubmissionItem,
  null
>;

/** Asks what has to be changed: sections or documents by name, each with what is wrong, and notes. */
export function ResubmissionDialog(props: ResubmissionDialogProps) {
  const { applicant, notes, isPending, refusal, onConfirm, onClose } = props;
  const state = useFormState<ResubmissionValues>({
    initial: { items: '', ...NOTHING_NAMED, notes },
    check: checkResubmission,
  });
  const { form } = state;

  return (
    <FormDialog
      title="Request resubmission"
      state={state}
      task={{
        submit: (values) => onConfirm({ notes: values.notes.trim(), items: itemsOf(values) }),
        isPending,
        failure: refusal,
      }}
      summary="Please check what is asked for"
      submit={{ label: 'Request resubmission', pending: 'Requesting' }}
      cancel="Not now"
      onClose={onClose}
    >
      {({ items, notes: notesField }) => (
        <>
          <p>
            {applicant} can change the application again. Documents named here are rejected and have
            to be uploaded again.
          </p>
          <fieldset className="review-items" name="items" tabIndex={-1}>
            <legend className="field__label">What has to be changed</legend>
            {RESUBMISSION_ITEMS.map((item) => (
              <ItemField
                key={item}
                form={form}
                item={item}
                onNamed={() => form.clearErrors('items')}
              />
            ))}
            <FieldNotes id="review-items" error={items.error} />
          </fieldset>
          <TextArea
            {...notesField}
            label="Notes"
            hint="Optional if each item above has its own note."
            placeholder="Sent to the employee"
            maxLength={NOTES_MAX_LENGTH}
            aside={
              <TemplateMenu
                of="application"
                onChoose={(text) => notesField.onChange(withTemplate(notesField.value, text))}
              />
            }
          />
        </>
      )}
    </FormDialog>
  );
}

interface ItemFieldProps {
  form: UseFormReturn<ResubmissionValues>;
  item: ResubmissionItem;
  onNamed: () => void;
}

function ItemField({ form, item, onNamed }: ItemFieldProps) {
  const { value, ...field } = useField(form, item);
  const label = RESUBMISSION_ITEM_LABELS[item];
  return (
    <>
      <Checkbox
        label={label}
        name={`${item}-named`}
        isChecked={value !== null}
        onChange={(isNamed) => {
          onNamed();
          field.onChange(isNamed ? '' : null);
        }}
      />
      {value !== null && (
        <div className="review-items__note">
          <TextArea
            {...field}
            value={value}
            label={`What is wrong with ${label}`}
            rows={2}
            maxLength={REASON_MAX_LENGTH}
          />
        </div>
      )}
    </>
  );
}
