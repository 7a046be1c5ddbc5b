import { ChevronDown } from 'lucide-react';
import { useId, type Ref } from 'react';
import { FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  isDisabled?: boolean | undefined;
}

interface SelectProps<Value extends string> extends FieldProps {
  /** The value of the chosen option, '' while none is. */
  value: Value | '';
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Shown while nothing is chosen; cannot be chosen itself. With no options, the reason why there are none. */
  placeholder?: string | undefined;
  ref?: Ref<HTMLSelectElement> | undefined;
}

/** One of a short list. The platform's own select: phones show their picker, and its name is exactly its label. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder,
  ref,
  ...field
}: SelectProps<Value>) {
  // A browser would show the first option as chosen, where the form has none.
  const isChosen = options.some((option) => option.value === value);
  return (
    <FieldFrame field={field}>
      {(control) => (
        <span className="select">
          <select
            {...control}
            ref={ref}
            value={isChosen ? value : ''}
            data-drawn={isChosen ? value : ''}
            onChange={(event) => onChange(event.target.value as Value)}
          >
            {(placeholder !== undefined || !isChosen) && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            <Options options={options} />
          </select>
          <Icon of={ChevronDown} size={16} />
        </span>
      )}
    </FieldFrame>
  );
}

interface FilterSelectProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
}

/** A filter over a list, its label inside the frame: "Status All". */
export function FilterSelect<Value extends string>({
  label,
  value,
  onChange,
  options,
}: FilterSelectProps<Value>) {
  const id = useId();
  return (
    <span className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        <Options options={options} />
      </select>
      <Icon of={ChevronDown} size={16} />
    </span>
  );
}

function Options({ options }: { options: readonly SelectOption[] }) {
  return options.map((option) => (
    <option key={option.value} value={option.value} disabled={option.isDisabled}>
      {option.label}
    </option>
  ));
}
