import { useId } from 'react';
import { describedBy, FieldNotes, OptionalMark, RequiredMark, type FieldProps } from './field.tsx';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  /** What choosing it means, at the right: "2–3 days". Described, not named, so that the label alone finds it. */
  consequence?: string | undefined;
  isDisabled?: boolean | undefined;
}

interface RadioChoicesProps<Value extends string> extends FieldProps {
  value: Value | '';
  onChange: (value: Value) => void;
  choices: readonly Choice<Value>[];
}

/** One of a few, all visible: a ruled list in one frame. */
export function RadioChoices<Value extends string>({
  value,
  onChange,
  choices,
  ...field
}: RadioChoicesProps<Value>) {
  const id = useId();
  const { label, name, error, hint, isRequired, optional, isDisabled, onBlur } = field;
  return (
    <div
      className="field"
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy(id, field)}
      aria-required={isRequired === true ? true : undefined}
      aria-invalid={error === undefined ? undefined : true}
      onBlur={onBlur}
    >
      <span className="field__top">
        <span className="field__label" id={`${id}-label`}>
          {label}
          {isRequired === true && <RequiredMark />}
        </span>
        {optional === true && <OptionalMark />}
      </span>
      <div className="choices" data-invalid={error === undefined ? undefined : true}>
        {choices.map((choice) => (
          <label className="check" key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={isDisabled === true || choice.isDisabled}
              aria-labelledby={`${id}-${choice.value}`}
              aria-describedby={
                choice.consequence === undefined ? undefined : `${id}-${choice.value}-then`
              }
              onChange={() => onChange(choice.value)}
            />
            <span id={`${id}-${choice.value}`}>{choice.label}</span>
            {choice.consequence !== undefined && (
              <span className="check__end" id={`${id}-${choice.value}-then`}>
                {choice.consequence}
              </span>
            )}
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
