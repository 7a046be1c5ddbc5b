import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** What every field takes. The visible label is exactly its accessible name. */
export interface FieldProps {
  label: string;
  /** The field's key in its form; also how {@link FormSummary} finds it. */
  name: string;
  /** Shown under the control and linked to it; absent while valid. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Marks the label with an asterisk and the control with aria-required. Browsers' own checks stay off. */
  isRequired?: boolean | undefined;
  /** Says "Optional" on the label line. */
  optional?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** At the end of the label line: the figure to compare with, a way to get another choice. */
  aside?: ReactNode;
  onBlur?: (() => void) | undefined;
}

/** The attributes that tie a control to its label, hint and error. */
interface ControlAttributes {
  id: string;
  name: string;
  disabled: boolean | undefined;
  'aria-required': true | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  onBlur: (() => void) | undefined;
}

interface FieldFrameProps {
  field: FieldProps;
  children: (control: ControlAttributes) => ReactNode;
}

/**
 * The frame of a single control: label above, hint and error under it. The controls are the
 * platform's own inputs: they are complete as they are, and phones show their own keyboards and pickers.
 */
export function FieldFrame({ field, children }: FieldFrameProps) {
  const id = useId();
  const control: ControlAttributes = {
    id,
    name: field.name,
    disabled: field.isDisabled,
    'aria-required': field.isRequired === true ? true : undefined,
    'aria-invalid': field.error === undefined ? undefined : true,
    'aria-describedby': describedBy(id, field),
    onBlur: field.onBlur,
  };
  return (
    <div className="field">
      <span className="field__top">
        <label className="field__label" htmlFor={id}>
          {field.label}
          {field.isRequired === true && <RequiredMark />}
        </label>
        {field.optional === true && <OptionalMark />}
        {field.aside}
      </span>
      {children(control)}
      <FieldNotes id={id} hint={field.hint} error={field.error} />
    </div>
  );
}

/** The ids of what {@link FieldNotes} shows for the field `id`, for its aria-describedby. */
export function describedBy(
  id: string,
  { hint, error }: Pick<FieldProps, 'hint' | 'error'>,
): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return ids.length === 0 ? undefined : ids.join(' ');
}

interface FieldNotesProps {
  id: string;
  hint?: string | undefined;
  error?: string | undefined;
}

export function FieldNotes({ id, hint, error }: FieldNotesProps) {
  return (
    <>
      {hint !== undefined && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field__error" id={`${id}-error`}>
          <Icon of={CircleAlert} size={16} />
          {error}
        </p>
      )}
    </>
  );
}

/** An asterisk drawn by CSS with an empty alternative: aria-required already says it. */
export function RequiredMark() {
  return <span className="req" />;
}

export function OptionalMark() {
  return <span className="opt">Optional</span>;
}
