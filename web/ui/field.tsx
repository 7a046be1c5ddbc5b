import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { ReadBeforeDrawing } from '#web/lib/read-fields.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

/** Properties of every field. The visible label is exactly its accessible name. */
export interface FieldProps {
  label: string;
  /** Key of the field in its form. {@link FormSummary} finds the field by it. */
  name: string;
  /** Error under the control and linked to it. Absent while valid. */
  error?: string | undefined;
  hint?: string | undefined;
  /**
   * Marks the label with an asterisk and the control with aria-required. The browser's own
   * validation stays off.
   */
  isRequired?: boolean | undefined;
  /** Shows "Optional" on the label line. */
  optional?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** Content at the end of the label line: a figure to compare with, a link to another choice. */
  aside?: ReactNode;
  onBlur?: (() => void) | undefined;
}

/** Attributes that link a control to its label, hint and error. */
export interface ControlAttributes {
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
 * Frame of one control: label above, hint and error below. The controls are the platform's own
 * inputs, because they are complete and phones show their own keyboards and pickers.
 */
export function FieldFrame({ field, children }: FieldFrameProps) {
  const id = useId();
  return (
    <div className="field">
      <FieldTop id={id} field={field} />
      <ReadBeforeDrawing>{children(controlOf(id, field))}</ReadBeforeDrawing>
      <FieldNotes id={id} hint={field.hint} error={field.error} />
    </div>
  );
}

/** Attributes of the control `id` of a field. */
export function controlOf(id: string, field: FieldProps): ControlAttributes {
  return {
    id,
    name: field.name,
    disabled: field.isDisabled,
    'aria-required': field.isRequired === true ? true : undefined,
    'aria-invalid': field.error === undefined ? undefined : true,
    'aria-describedby': describedBy(id, field),
    onBlur: field.onBlur,
  };
}

/** Line above the control `id`: its label and what belongs to it. */
export function FieldTop({ id, field }: { id: string; field: FieldProps }) {
  return (
    <span className="field__top">
      <label className="field__label" htmlFor={id}>
        {field.label}
        {field.isRequired === true && <RequiredMark />}
      </label>
      {field.optional === true && <OptionalMark />}
      {field.aside}
    </span>
  );
}

interface FieldInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  control: ControlAttributes;
  value: string;
  onChange: (value: string) => void;
}

/** Input of one line in a {@link FieldFrame}. */
export function FieldInput({ control, className, onChange, ...input }: FieldInputProps) {
  return (
    <input
      type="text"
      {...control}
      {...input}
      className={classNames('input', className)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Ids of the texts in {@link FieldNotes} of the field `id`, for its aria-describedby. */
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

/** Asterisk drawn by CSS with an empty alternative text, because aria-required already says it. */
export function RequiredMark() {
  return <span className="req" />;
}

export function OptionalMark() {
  return <span className="opt">Optional</span>;
}
