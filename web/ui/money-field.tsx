import type { ReactNode, Ref } from 'react';
import {
  currencySymbol,
  formatMoney,
  isOwnNotation,
  money,
  parseAmount,
  type Currency,
} from '#contract/money.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import { classNames } from './class-names.ts';
import { FieldFrame, FieldInput, type FieldProps } from './field.tsx';

interface MoneyFieldProps extends FieldProps {
  /** Text as typed, such as "320.00". The form parses it to minor units once, on submit. */
  value: string;
  onChange: (value: string) => void;
  /** Its symbol is drawn at the start of the field. It is not part of the value. */
  currency: Currency;
  /** `hero` is for the main amount of a screen: 56 px high in the display face. */
  size?: 'hero' | 'standard' | undefined;
  /** Quiet button at the end, such as "Use full balance". */
  action?: ReactNode;
  placeholder?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * Amount of money. If it is typed in another number format, the field shows below how it reads it:
 * "Reads as $12.50". Digits are grouped when the field loses focus. It is a text input, not a
 * number input, so that a wheel, a locale or a float never changes the typed value.
 */
export function MoneyField({
  value,
  onChange,
  currency,
  size = 'hero',
  action,
  placeholder = '0.00',
  ref,
  hint,
  ...field
}: MoneyFieldProps) {
  const isHero = size === 'hero';
  return (
    <FieldFrame field={{ ...field, hint: joined(readingOf(value, currency), hint) }}>
      {(control) => (
        <div className={classNames('affix', isHero && 'affix--amount')}>
          <span className="affix__pre" aria-hidden="true">
            {currencySymbol(currency)}
          </span>
          <FieldInput
            control={control}
            ref={ref}
            className={isHero ? 'input--amount' : undefined}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            placeholder={placeholder}
            onChange={onChange}
            onBlur={() => {
              const grouped = groupAmount(value);
              if (grouped !== value) onChange(grouped);
              control.onBlur?.();
            }}
          />
          {action !== undefined && <span className="affix__post">{action}</span>}
        </div>
      )}
    </FieldFrame>
  );
}

/** Amount read from text in another number format. Undefined if there is nothing to explain. */
function readingOf(typed: string, currency: Currency): string | undefined {
  if (isOwnNotation(typed)) return undefined;
  const minor = parseAmount(typed, currency);
  return minor === null ? undefined : `Reads as ${formatMoney(money(minor, currency))}`;
}

function joined(reading: string | undefined, hint: string | undefined): string | undefined {
  if (reading === undefined || hint === undefined) return reading ?? hint;
  return `${reading}. ${hint}`;
}
