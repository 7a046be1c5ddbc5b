import { useId } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldNotes, RequiredMark } from '#web/ui/field.tsx';
import type { FormField } from './form-state.ts';
import './check-choices.css';

interface CheckChoicesProps<Value extends string> extends FormField<Value[]> {
  /** Over them: "It may". */
  label: string;
  /** In the order in which they are kept. */
  choices: readonly { value: Value; label: string }[];
  /** False if none has to be chosen. */
  isRequired?: boolean;
}

/** Checkboxes of which several can be chosen, and one has to be. */
export function CheckChoices<Value extends string>({
  label,
  choices,
  isRequired = true,
  name,
  value,
  error,
  onChange,
  onBlur,
}: CheckChoicesProps<Value>) {
  const id = useId();
  const choose = (changed: Value, isChosen: boolean) =>
    onChange(
      choices
        .map((choice) => choice.value)
        .filter((one) => (one === changed ? isChosen : value.includes(one))),
    );
  return (
    <fieldset
      className="check-choices"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      onBlur={onBlur}
    >
      <legend className="field__label">
        {label}
        {isRequired && <RequiredMark />}
      </legend>
      {choices.map((choice) => (
        <Checkbox
          key={choice.value}
          label={choice.label}
          name={name}
          isChecked={value.includes(choice.value)}
          onChange={(isChosen) => choose(choice.value, isChosen)}
        />
      ))}
      <FieldNotes id={id} error={error} />
    </fieldset>
  );
}
