import { useState } from 'react';
import type { AddedEmployee } from '#contract/api.ts';
import { DEPARTMENTS, DEPARTMENT_IDS, type Department } from '#contract/company.ts';
import { emailRule } from '#contract/email.ts';
import { fullNameRule, splitName } from '#contract/people.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { Button } from '#web/ui/button.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { PasswordLinkShown, type PasswordLink } from './person-links.tsx';

interface Values {
  fullName: string;
  email: string;
  department: Department | '';
}

interface Added {
  employee: AddedEmployee;
  /** Undefined if the person was added but no link could be created. */
  link: PasswordLink | undefined;
}

const DEPARTMENT_OPTIONS = DEPARTMENT_IDS.map((value) => ({ value, label: DEPARTMENTS[value] }));

/** Adds an employee, then shows the sign-in details. Open while mounted. */
export function AddEmployee({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<Added>();
  if (added === undefined) return <AddEmployeeForm onAdded={setAdded} onClose={onClose} />;
  return <AccountCreated {...added} onAnother={() => setAdded(undefined)} onClose={onClose} />;
}

function AddEmployeeForm({
  onAdded,
  onClose,
}: {
  onAdded: (added: Added) => void;
  onClose: () => void;
}) {
  return (
    <TaskDialog
      title="Add Employee"
      initial={{ fullName: '', email: '', department: '' }}
      check={(values: Values) => ({
        ...checkRules(values, { fullName: fullNameRule, email: emailRule }),
        department: values.department === '' ? 'Choose a department' : undefined,
      })}
      send={addAndLink}
      places={{ email_taken: 'email' }}
      topics={['people']}
      onDone={onAdded}
      summary="Please check the employee"
      submit={{ label: 'Create Account', pending: 'Creating the account' }}
      onClose={onClose}
    >
      {({ fullName, email, department }) => (
        <>
          <TextField
            label="Full Name"
            isRequired
            autoComplete="off"
            hint="First and last name. A single name is fine."
            {...fullName}
          />
          <TextField
            label="Email"
            type="email"
            isRequired
            autoComplete="off"
            hint="Used to sign in."
            {...email}
          />
          <Select<Department>
            label="Department"
            isRequired
            placeholder="Choose a department"
            options={DEPARTMENT_OPTIONS}
            {...department}
          />
          <p className="muted">A Salary Wallet opens with the account.</p>
        </>
      )}
    </TaskDialog>
  );
}

/**
 * Requests the link in a second call. The server stores the reply to the first one for retries, and
 * it must not store a secret. If the second call fails, the person is still added.
 */
async function addAndLink(
  { fullName, email, department }: Values,
  options: CallOptions,
): Promise<Added> {
  if (department === '') throw new Error('The check lets no empty choice through');
  const employee = await call(
    'adminAddEmployee',
    { body: { fullName, email, department } },
    options,
  );
  if (employee.isMailed) return { employee, link: null };
  const made = await call('adminCreatePasswordLink', { params: { id: employee.id } }).catch(
    () => undefined,
  );
  return { employee, link: made?.link };
}

function AccountCreated({
  employee: { name, email, employeeId, department, account },
  link,
  onAnother,
  onClose,
}: Added & { onAnother: () => void; onClose: () => void }) {
  const { firstName } = splitName(name);
  return (
    <DoneDialog
      title="Account created"
      actions={<Button onPress={onAnother}>Add Another</Button>}
      onClose={onClose}
    >
      <div>
        <p className="strong">{name}</p>
        <p className="muted">{email}</p>
      </div>
      <Facts
        isTight
        facts={[
          { label: 'Employee ID', value: employeeId },
          { label: 'Department', value: DEPARTMENTS[department] },
          ...(account === null
            ? []
            : [{ label: 'Account', value: `${account.name} ••${account.last4}` }]),
        ]}
      />
      {link === undefined ? (
        <Notice tone="critical">
          The link to choose a password could not be created. Create one with Resend Link in the
          list of employees.
        </Notice>
      ) : (
        <PasswordLinkShown name={firstName} link={link} />
      )}
    </DoneDialog>
  );
}
