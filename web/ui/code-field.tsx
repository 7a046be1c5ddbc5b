import type { Ref } from 'react';
import { FieldFrame, FieldInput, type FieldProps } from './field.tsx';
import './code-field.css';

interface CodeFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** `app` for six digits, which the browser may fill in; `recovery` for letters and digits. */
  kind: 'app' | 'recovery';
  ref?: Ref<HTMLInputElement> | undefined;
}

/** Field for a code. It is one field, so that pasting and autofill work. */
export function CodeField({ value, onChange, kind, ref, ...field }: CodeFieldProps) {
  const isApp = kind === 'app';
  return (
    <FieldFrame field={field}>
      {(control) => (
        <FieldInput
          control={control}
          ref={ref}
          className={isApp ? 'input--code' : 'input--code input--recovery'}
          inputMode={isApp ? 'numeric' : 'text'}
          autoComplete={isApp ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isApp ? 7 : 12}
          value={value}
          onChange={onChange}
        />
      )}
    </FieldFrame>
  );
}
