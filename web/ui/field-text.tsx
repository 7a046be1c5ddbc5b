import { useId } from 'react';
import { FieldNotes, type FieldProps } from './field.tsx';

type FieldTextProps = Pick<FieldProps, 'label' | 'name' | 'aside' | 'hint' | 'error'> & {
  children: string;
};

/** Fixed value in place of a field. A summary of problems can link to it as to a field. */
export function FieldText({ label, name, aside, hint, error, children }: FieldTextProps) {
  const id = useId();
  return (
    <div className="field" role="group" aria-labelledby={id} data-field={name} tabIndex={-1}>
      <span className="field__top">
        <span className="field__label" id={id}>
          {label}
        </span>
        {aside}
      </span>
      <p className="field__text num" translate="no">
        {children}
      </p>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
