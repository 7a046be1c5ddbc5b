import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, Ref } from 'react';
import { FieldFrame, type FieldProps } from './field.tsx';

interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'tel' | 'url' | 'date'> | undefined;
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | undefined;
  placeholder?: string | undefined;
  maxLength?: number | undefined;
  /** Can be read, focused and copied, but not changed. Give the reason in `hint`. */
  isReadOnly?: boolean | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** One line of text. */
export function TextField({
  value,
  onChange,
  type = 'text',
  isReadOnly,
  autoComplete,
  inputMode,
  placeholder,
  maxLength,
  ref,
  ...field
}: TextFieldProps) {
  return (
    <FieldFrame field={field}>
      {(control) => (
        <input
          {...control}
          ref={ref}
          className="input"
          type={type}
          value={value}
          readOnly={isReadOnly}
          autoComplete={autoComplete}
          inputMode={inputMode}
          placeholder={placeholder}
          maxLength={maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
