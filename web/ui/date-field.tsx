import { CalendarDays } from 'lucide-react';
import { useRef, type HTMLInputAutoCompleteAttribute, type Ref } from 'react';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate, typedDateWords } from '#web/lib/typed-date.ts';
import { FieldFrame, FieldInput, type FieldProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';

interface DateFieldProps extends FieldProps {
  /** Text as typed, which may not be a date yet. Parse it with `parseTypedDate`. */
  value: string;
  onChange: (value: string) => void;
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  /** Range of the picker, as in `2026-12-08`. Typing is not limited. */
  min?: string | undefined;
  max?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

const FORMAT = 'MM/DD/YYYY';

/** Text for the day, which replaces the format hint and precedes any other hint. */
function hintAfter(words: string, hint: string): string {
  return hint === FORMAT ? words : `${words}. ${hint}`;
}

/**
 * Date that is typed, which is fastest for a distant one such as a birthday, or picked from the
 * platform's calendar with the button at the end. The parsed day is shown in words below.
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
          <FieldInput
            control={control}
            ref={ref}
            value={value}
            autoComplete={autoComplete}
            onChange={onChange}
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
            <IconButton
              icon={CalendarDays}
              isSmall
              label="Open calendar"
              isDisabled={field.isDisabled}
              onPress={() => picker.current?.showPicker()}
            />
          </span>
        </div>
      )}
    </FieldFrame>
  );
}
