import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, Ref } from 'react';
import { FieldFrame, FieldInput, type FieldProps } from './field.tsx';

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
export function TextField(props: TextFieldProps) {
  const { value, onChange, type = 'text', isReadOnly, ref, ...others } = props;
  const { autoComplete, inputMode, placeholder, maxLength, ...field } = others;
  return (
    <FieldFrame field={field}>
      {(control) => (
        <FieldInput
          {...{ control, ref, type, value, onChange, readOnly: isReadOnly }}
          {...{ autoComplete, inputMode, placeholder, maxLength }}
        />
      )}
    </FieldFrame>
  );
}
