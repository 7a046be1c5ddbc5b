import { useState } from 'react';
import type { EmployeePage } from '#contract/api.ts';
import { SINGLE_NAME_HINT } from '#contract/people.ts';
import { nameRules } from '#contract/person-name.ts';
import { correctionReasonRule } from '#contract/reasons.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';

interface CorrectNameProps {
  person: EmployeePage;
  onClose: () => void;
}

/** Corrects a person's name, for a stated reason. Open while mounted. */
export function CorrectName({ person, onClose }: CorrectNameProps) {
  // Name the admin saw. The server refuses the change if it is no longer the current one.
  const [seen] = useState({ firstName: person.firstName, lastName: person.lastName });
  return (
    <TaskDialog
      title="Correct Name"
      initial={{ ...seen, reason: '' }}
      check={(values) => checkRules(values, { ...nameRules, reason: correctionReasonRule })}
      send={(values) =>
        call('adminCorrectName', { params: { id: person.id }, body: { ...values, seen } })
      }
      places={{ name_unchanged: 'firstName' }}
      topics={['people', 'kyc']}
      done={({ isIdentityReopened }) => ({
        title: 'Name Corrected',
        message: isIdentityReopened
          ? 'The identity was approved under another name. It is in review again.'
          : `It was ${person.name}.`,
      })}
      summary="Please check the name"
      submit={{ label: 'Correct Name', pending: 'Correcting' }}
      onClose={onClose}
    >
      {({ firstName, lastName, reason }) => (
        <>
          <div className="form__row">
            <TextField label="First Name" isRequired autoComplete="off" {...firstName} />
            <TextField label="Last Name" autoComplete="off" hint={SINGLE_NAME_HINT} {...lastName} />
          </div>
          <TextArea label="Reason" isRequired placeholder="Sent to the employee" {...reason} />
          <p className="muted">
            The employee is notified of the old and the new name. If their identity was approved
            under another name, it goes back to review, and no money leaves their accounts until it
            is approved again.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
