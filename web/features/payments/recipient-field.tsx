import type { Recipient } from '#contract/api.ts';
import type { FormField } from '#web/kit/form-state.ts';
import { useCompany } from '#web/lib/company.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldFrame, FieldInput } from '#web/ui/field.tsx';
import { Status } from '#web/ui/status.tsx';
import './payments.css';

interface RecipientFieldProps {
  field: FormField<string>;
  /** Owner of the address, once found. */
  recipient: Recipient | undefined;
  isSearching: boolean;
  onFind: () => void;
}

/** An address, and the person found by it, who is shown before anything can be paid. */
export function RecipientField({ field, recipient, isSearching, onFind }: RecipientFieldProps) {
  const { name } = useCompany();
  return (
    <>
      <FieldFrame
        field={{
          label: 'Their work email',
          isRequired: true,
          hint: 'Enter the full address. We do not show a list of people.',
          name: field.name,
          error: field.error,
          onBlur: field.onBlur,
        }}
      >
        {(control) => (
          <div className="find">
            <FieldInput
              control={control}
              ref={field.ref}
              type="email"
              autoComplete="off"
              value={field.value}
              onChange={field.onChange}
            />
            <Button isPending={isSearching} pendingLabel="Finding" onPress={onFind}>
              Find
            </Button>
          </div>
        )}
      </FieldFrame>
      <div role="status">
        {recipient !== undefined && (
          <div className="recipient">
            <Avatar name={recipient.name} />
            <div>
              <p className="strong">{recipient.name}</p>
              <p className="meta">{name}</p>
            </div>
            <Status status="verified" label="Found" />
          </div>
        )}
      </div>
    </>
  );
}
