import { useId, type ReactNode } from 'react';
import { ReadBeforeDrawing } from '#web/lib/read-fields.ts';
import { classNames } from './class-names.ts';
import { describedBy, FieldNotes, OptionalMark, RequiredMark, type FieldProps } from './field.tsx';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  /**
   * Consequence of the choice, on the right: "2–3 days". It is a description, so that the label
   * alone is the name.
   */
  consequence?: ReactNode;
  /** Further facts on a second line, under the label and the consequence. */
  detail?: string | undefined;
  consequenceDetail?: string | undefined;
  /** Last line: short facts with glyphs. */
  marks?: ReactNode;
  isDisabled?: boolean | undefined;
}

interface RadioChoicesProps<Value extends string> extends FieldProps {
  value: Value | '';
  onChange: (value: Value) => void;
  choices: readonly Choice<Value>[];
}

/** One of a few choices, all visible in one frame. */
export function RadioChoices<Value extends string>({
  value,
  onChange,
  choices,
  ...field
}: RadioChoicesProps<Value>) {
  const id = useId();
  const hasFacts = choices.some(({ detail }) => detail !== undefined);
  const { label, name, error, hint, isRequired, optional, isDisabled, onBlur } = field;
  return (
    <div
      className="field"
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy(id, field)}
      aria-required={isRequired === true ? true : undefined}
      aria-invalid={error === undefined ? undefined : true}
      onBlur={onBlur}
    >
      <span className="field__top">
        <span className="field__label" id={`${id}-label`}>
          {label}
          {isRequired === true && <RequiredMark />}
        </span>
        {optional === true && <OptionalMark />}
      </span>
      <div
        className={classNames('choices', hasFacts && 'choices--facts')}
        data-invalid={error === undefined ? undefined : true}
      >
        <ReadBeforeDrawing>
          {choices.map((choice) => (
            <label className="check" key={choice.value}>
              <input
                type="radio"
                name={name}
                value={choice.value}
                checked={choice.value === value}
                data-drawn={choice.value === value}
                disabled={isDisabled === true || choice.isDisabled}
                aria-labelledby={`${id}-${choice.value}`}
                aria-describedby={descriptionOf(id, choice)}
                onChange={() => onChange(choice.value)}
              />
              <span className="check__main">
                <span className="check__name" id={`${id}-${choice.value}`}>
                  {choice.label}
                </span>
                {choice.detail !== undefined && (
                  <span className="meta num" id={`${id}-${choice.value}-detail`}>
                    {choice.detail}
                  </span>
                )}
                {choice.marks !== undefined && (
                  <span id={`${id}-${choice.value}-marks`}>{choice.marks}</span>
                )}
              </span>
              {choice.consequence !== undefined && (
                <span className="check__end num" id={`${id}-${choice.value}-then`}>
                  <span>{choice.consequence}</span>
                  {choice.consequenceDetail !== undefined && (
                    <span className="meta">{choice.consequenceDetail}</span>
                  )}
                </span>
              )}
            </label>
          ))}
        </ReadBeforeDrawing>
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** Ids of the texts that describe a choice. */
function descriptionOf(
  id: string,
  { value, detail, consequence, marks }: Choice,
): string | undefined {
  const ids = [
    detail !== undefined && `${id}-${value}-detail`,
    consequence !== undefined && `${id}-${value}-then`,
    marks !== undefined && `${id}-${value}-marks`,
  ].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}
