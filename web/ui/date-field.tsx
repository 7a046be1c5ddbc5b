import { CalendarDays } from 'lucide-react';
import { useRef, type HTMLInputAutoCompleteAttribute, type Ref } from 'react';
import { parseTypedDate, typedDate, typedDateWords } from '#web/lib/typed-date.ts';
import { Button } from './button.tsx';
import { FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

interface DateFieldProps extends FieldProps {
  /** As it was typed, not necessarily a date yet: read it with `parseTypedDate`. */
  value: string;
  onChange: (value: string) => void;
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  /** The days that the picker offers, `2026-12-08`. Anything can be typed. */
  min?: string | undefined;
  max?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

const FORMAT = 'MM/DD/YYYY';

/** The words of the day in place of how to type it, before any other hint. */
function hintAfter(words: string, hint: string): string {
  return hint === FORMAT ? words : `${words}. ${hint}`;
}

/**
 * A date that is typed, which is quickest for one far away such as a birthday, or picked from the
 * platform's own calendar by the button at its end. The day that it is read as stands under it in words.
 */
export function DateField({
  value,
  onChange,
  autoComplete,
  min,
  max,
  ref,
  hint = FORMAT,
  ...field
}: DateFieldProps) {
  const words = typedDateWords(value);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <FieldFrame field={{ ...field, hint: words === undefined ? hint : hintAfter(words, hint) }}>
      {(control) => (
        <div className="affix">
          <input
            {...control}
            ref={ref}
            className="input"
            type="text"
            inputMode="text"
            value={value}
            autoComplete={autoComplete}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className="affix__post affix__post--icon">
            <input
              ref={picker}
              className="date-picker"
              type="date"
              tabIndex={-1}
              aria-hidden="true"
              value={parseTypedDate(value) ?? ''}
              min={min}
              max={max}
              onChange={(event) => {
                if (event.target.value !== '') onChange(typedDate(event.target.value));
              }}
            />
            <Button
              kind="quiet"
              shape="icon-small"
              aria-label="Open calendar"
              isDisabled={field.isDisabled}
              onPress={() => picker.current?.showPicker()}
            >
              <Icon of={CalendarDays} size={16} />
            </Button>
          </span>
        </div>
      )}
    </FieldFrame>
  );
}
