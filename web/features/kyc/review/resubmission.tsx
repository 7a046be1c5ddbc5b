import { useForm, type UseFormReturn } from 'react-hook-form';
import {
  RESUBMISSION_ITEM_LABELS,
  RESUBMISSION_ITEMS,
  type ResubmissionItem,
} from '#contract/kyc.ts';
import { NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from '#contract/limits.ts';
import { checkedBy, FORM_MODES, useField, useFormProblems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldNotes } from '#web/ui/field.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import {
  checkResubmission,
  itemsOf,
  RESUBMISSION_FIELDS,
  type ResubmissionInput,
  type ResubmissionValues,
} from './check-resubmission.ts';
import { TemplateMenu, withTemplate } from './templates.tsx';

interface ResubmissionDialogProps {
  /** "Priya Raghunathan" */
  applicant: string;
  /** What was noted at the desk already. */
  notes: string;
  isPending: boolean;
  onConfirm: (input: ResubmissionInput) => void;
  onClose: () => void;
}

const NOTHING_NAMED = Object.fromEntries(RESUBMISSION_ITEMS.map((item) => [item, null])) as Record<
  ResubmissionItem,
  null
>;

/** Asks what has to be mended: sections or documents by name, each with what is wrong, and notes. */
export function ResubmissionDialog(props: ResubmissionDialogProps) {
  const { applicant, notes, isPending, onConfirm, onClose } = props;
  const form = useForm<ResubmissionValues>({
    ...FORM_MODES,
    resolver: checkedBy(checkResubmission),
    shouldFocusError: false, // the summary takes the focus
    defaultValues: { ...NOTHING_NAMED, items: '', notes },
  });
  const { problems, attempt } = useFormProblems(form, RESUBMISSION_FIELDS);
  const items = useField(form, 'items');
  const notesField = useField(form, 'notes');
  const submit = form.handleSubmit((values) =>
    onConfirm({ notes: values.notes.trim(), items: itemsOf(values) }),
  );

  return (
    <Dialog
      title="Request resubmission"
      isOpen
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onPress={onClose}>Not now</Button>
          <Button kind="solid" type="submit" isPending={isPending} pendingLabel="Requesting">
            Request resubmission
          </Button>
        </>
      }
    >
      <div className="form">
        <FormSummary title="Please check what is asked for" problems={problems} attempt={attempt} />
        <p>
          {applicant} can change the application again. Documents named here are rejected and have
          to be uploaded anew.
        </p>
        <fieldset className="review-items" name="items" tabIndex={-1}>
          <legend className="field__label">What has to be mended</legend>
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
          isRequired
          placeholder="Sent to the employee"
          maxLength={NOTES_MAX_LENGTH}
          aside={
            <TemplateMenu
              of="application"
              onChoose={(text) => notesField.onChange(withTemplate(notesField.value, text))}
            />
          }
        />
      </div>
    </Dialog>
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
            isRequired
            rows={2}
            maxLength={REASON_MAX_LENGTH}
          />
        </div>
      )}
    </>
  );
}
