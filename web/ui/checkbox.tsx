import { useId } from 'react';
import { ReadBeforeDrawing } from '#web/lib/read-fields.ts';
import { controlOf, FieldNotes, RequiredMark, type FieldProps } from './field.tsx';

interface CheckboxProps extends Omit<FieldProps, 'optional'> {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Yes or no. The whole line can be pressed. */
export function Checkbox({ isChecked, onChange, ...field }: CheckboxProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="check">
        <ReadBeforeDrawing>
          <input
            {...controlOf(id, field)}
            type="checkbox"
            checked={isChecked}
            data-drawn={isChecked}
            onChange={(event) => onChange(event.target.checked)}
          />
        </ReadBeforeDrawing>
        <span>
          {field.label}
          {field.isRequired === true && <RequiredMark />}
        </span>
      </label>
      <FieldNotes id={id} hint={field.hint} error={field.error} />
    </div>
  );
}
