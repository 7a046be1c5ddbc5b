import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ComboBox } from '#web/ui/combo-box.tsx';
import { FileDrop, type ChosenFile } from '#web/ui/file-drop.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';

export function FieldStates() {
  const [holder, setHolder] = useState('Maya L. Castellanos');
  const [routing, setRouting] = useState('');
  const [password, setPassword] = useState('harbor7');
  return (
    <div className="form">
      <TextField
        label="Account Holder Name"
        name="holder"
        isRequired
        value={holder}
        onChange={setHolder}
      />
      <TextField
        label="Routing Number"
        name="routing"
        inputMode="numeric"
        placeholder="9-digit routing number"
        hint="Bottom left of a check."
        value={routing}
        onChange={setRouting}
      />
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        error="Passwords do not match"
        value={password}
        onChange={setPassword}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        isReadOnly
        hint="Comes from your KYC application and cannot be edited here."
        value="maya.castellanos@tallisreed.example"
        onChange={() => undefined}
      />
      <Select
        label="Destination Bank"
        name="bank"
        isDisabled
        value=""
        onChange={() => undefined}
        options={[]}
        placeholder="No verified bank accounts available. Please add and verify a bank account first."
      />
    </div>
  );
}

export function ChoiceStates() {
  const [urgency, setUrgency] = useState<'low' | 'medium'>('medium');
  const [isMailed, setIsMailed] = useState(true);
  return (
    <div className="gallery__stack">
      <RadioChoices
        label="Urgency Level"
        name="urgency"
        value={urgency}
        onChange={setUrgency}
        choices={[
          { value: 'low', label: 'Low', consequence: '3–5 days' },
          { value: 'medium', label: 'Medium', consequence: '2–3 days' },
        ]}
      />
      <Checkbox
        label="Email me about withdrawals"
        name="mailed"
        isChecked={isMailed}
        onChange={setIsMailed}
      />
      <Checkbox
        label="I confirm that this is correct"
        name="confirmed"
        isRequired
        isChecked={false}
        onChange={() => undefined}
        error="Please confirm"
      />
    </div>
  );
}

const departments = [
  { value: 'engineering', label: 'Engineering' },
  { value: 'finance', label: 'Finance' },
];

const people = [
  { id: '1', label: 'Maya Castellanos', detail: 'Engineering' },
  { id: '2', label: 'Sam Okafor', detail: 'Finance' },
  { id: '3', label: 'Renee Albright', detail: 'Operations' },
];

/** A form after a failed attempt: the summary takes the focus when it is sent. */
export function FormExample() {
  const [attempt, setAttempt] = useState(0);
  const [amount, setAmount] = useState('320.00');
  const [fee, setFee] = useState('');
  const [department, setDepartment] = useState('');
  const [person, setPerson] = useState('');
  const [reason, setReason] = useState('');
  const [file, setFile] = useState<ChosenFile>();
  const errors = {
    amount: amount === '' ? 'Enter a withdrawal amount' : undefined,
    department: department === '' ? 'Choose a department' : undefined,
    front: file === undefined ? 'Choose a picture of the front' : undefined,
  };
  const shown: Partial<Record<keyof typeof errors, string | undefined>> = attempt > 0 ? errors : {};
  const problems = Object.entries(shown).flatMap(([name, message]) =>
    message === undefined ? [] : [{ name, message }],
  );
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAttempt(attempt + 1);
      }}
    >
      <FormSummary
        title="Please fill in all required fields"
        problems={problems}
        attempt={attempt}
      />
      <div className="form__row">
        <MoneyField
          label="Withdrawal Amount"
          currency="USD"
          name="amount"
          isRequired
          value={amount}
          onChange={setAmount}
          error={shown.amount}
          action={
            <Button kind="quiet" onPress={() => setAmount('4812.36')}>
              Use full balance
            </Button>
          }
        />
        <MoneyField
          label="Daily Limit"
          currency="USD"
          name="limit"
          size="standard"
          optional
          value={fee}
          onChange={setFee}
        />
      </div>
      <div className="form__row">
        <Select
          label="Department"
          name="department"
          isRequired
          value={department}
          onChange={setDepartment}
          options={departments}
          placeholder="Choose a department"
          error={shown.department}
        />
        <ComboBox
          label="Employee"
          name="employee"
          value={person}
          onChange={setPerson}
          items={people}
          placeholder="Search by name"
        />
      </div>
      <div className="form__row">
        <TextArea label="Reason" name="reason" optional value={reason} onChange={setReason} />
        <FileDrop
          label="Front of document"
          name="front"
          accept="image/jpeg,image/png,image/webp"
          rule="JPEG, PNG or WebP, up to 5 MB"
          isRequired
          error={shown.front}
          file={file}
          onChoose={(chosen) => setFile({ name: chosen.name, detail: `${chosen.size} bytes` })}
        />
      </div>
      <div className="gallery__row">
        <Button kind="money" type="submit">
          Review
        </Button>
      </div>
    </form>
  );
}
