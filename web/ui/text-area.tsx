import type { Ref } from 'react';
import { FieldFrame, type FieldProps } from './field.tsx';

interface TextAreaProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  /** Number of visible lines before it scrolls. Users can make it taller. */
  rows?: number | undefined;
  maxLength?: number | undefined;
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

/** Several lines of text: reasons and notes. */
export function TextArea({
  value,
  onChange,
  placeholder,
  rows = 3,
  maxLength,
  ref,
  ...field
}: TextAreaProps) {
  return (
    <FieldFrame field={field}>
      {(control) => (
        <textarea
          {...control}
          ref={ref}
          className="textarea"
          value={value}
          rows={rows}
          placeholder={placeholder}
          maxLength={maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
