import { useState } from 'react';
import type { EmployeePage } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { correctionReasonRule } from '#contract/reasons.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';

interface ChangeEmailProps {
  person: EmployeePage;
  onClose: () => void;
}

/** Changes the address a person signs in with, for a stated reason. Open while mounted. */
export function ChangeEmail({ person, onClose }: ChangeEmailProps) {
  // Address the admin saw. The server refuses the change if it is no longer the current one.
  const [seen] = useState(person.email);
  return (
    <TaskDialog
      title="Change Email"
      initial={{ email: '', reason: '' }}
      check={(values) => checkRules(values, { email: emailRule, reason: correctionReasonRule })}
      send={(values) =>
        call('adminChangeEmail', { params: { id: person.id }, body: { ...values, seen } })
      }
      places={{ email_taken: 'email' }}
      topics={['people']}
      done={{
        title: 'Email Changed',
        message: person.isInvited
          ? `${person.name} has no password yet. Send a new link with Resend Link.`
          : `${person.name} signs in with the new address.`,
      }}
      summary="Please check the address"
      submit={{ label: 'Change Email', pending: 'Changing' }}
      onClose={onClose}
    >
      {({ email, reason }) => (
        <>
          <p>
            {person.name} signs in with <span className="strong">{seen}</span>.
          </p>
          <TextField label="New Email" type="email" isRequired autoComplete="off" {...email} />
          <TextArea label="Reason" isRequired placeholder="Sent to the employee" {...reason} />
          <p className="muted">
            Use this when the employee can no longer read mail at the old address. They are signed
            out everywhere, and payouts wait for the cooling-off. Both addresses are notified, and
            the old one can undo the change for a week.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
