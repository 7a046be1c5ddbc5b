import { useId } from 'react';
import { describedBy, FieldNotes, RequiredMark, type FieldProps } from './field.tsx';

interface CheckboxProps extends Omit<FieldProps, 'optional'> {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Yes or no. The whole line can be pressed. */
export function Checkbox({
  label,
  name,
  isChecked,
  onChange,
  error,
  hint,
  isRequired,
  isDisabled,
  onBlur,
}: CheckboxProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="check">
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={isChecked}
          data-drawn={isChecked}
          disabled={isDisabled}
          aria-required={isRequired === true ? true : undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={describedBy(id, { hint, error })}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          {label}
          {isRequired === true && <RequiredMark />}
        </span>
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
