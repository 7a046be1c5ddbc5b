import { ChevronDown } from 'lucide-react';
import { useId, type Ref } from 'react';
import { classNames } from './class-names.ts';
import { ClippedText, hasEnding } from './clipped.tsx';
import { FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  isDisabled?: boolean | undefined;
}

interface SelectProps<Value extends string> extends FieldProps {
  /** Value of the chosen option, or '' if none. */
  value: Value | '';
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /**
   * Text while nothing is chosen. It cannot be chosen. Without options, it is the reason there are
   * none.
   */
  placeholder?: string | undefined;
  ref?: Ref<HTMLSelectElement> | undefined;
}

/**
 * Choice from a short list. It is the platform's select: phones show their picker, and its name is
 * exactly its label.
 */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder,
  ref,
  ...field
}: SelectProps<Value>) {
  // Without a chosen option the browser would show the first one, which the form does not have.
  const chosen = options.find((option) => option.value === value);
  const isChosen = chosen !== undefined;
  // A browser cuts the end of a long option. People recognize an account by the digits there.
  const drawn = chosen !== undefined && hasEnding(chosen.label) ? chosen.label : undefined;
  return (
    <FieldFrame field={field}>
      {(control) => (
        <span className={classNames('select', drawn !== undefined && 'select--drawn')}>
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
          {drawn !== undefined && (
            <span className="select__drawn" aria-hidden>
              <ClippedText ref={null}>{drawn}</ClippedText>
            </span>
          )}
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

/** Filter of a list, with its label inside the frame: "Status All". */
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
