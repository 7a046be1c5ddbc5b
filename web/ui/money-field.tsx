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
import { FieldFrame, type FieldProps } from './field.tsx';

interface MoneyFieldProps extends FieldProps {
  /** The text as typed, such as "320.00". Parsing it to minor units is the form's matter, once, on submit. */
  value: string;
  onChange: (value: string) => void;
  /** Its symbol is drawn inside at the start; not part of the value. */
  currency: Currency;
  /** `hero` is the amount a screen is about: 56 px high in the display face. */
  size?: 'hero' | 'standard' | undefined;
  /** A quiet button at the end, such as "Use full balance". */
  action?: ReactNode;
  placeholder?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * An amount of money. If it is typed in another notation than ours, the field shows below how it is read:
 * "Reads as $12.50". Its digits are grouped on leaving the field. It is kept as text: no number input, so that a
 * wheel, a locale or a float never changes what was typed.
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
          <input
            {...control}
            ref={ref}
            className={classNames('input', isHero && 'input--amount')}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            placeholder={placeholder}
            onChange={(event) => onChange(event.target.value)}
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

/** The amount that another notation than ours is read as; undefined where there is nothing to say. */
function readingOf(typed: string, currency: Currency): string | undefined {
  if (isOwnNotation(typed)) return undefined;
  const minor = parseAmount(typed, currency);
  return minor === null ? undefined : `Reads as ${formatMoney(money(minor, currency))}`;
}

function joined(reading: string | undefined, hint: string | undefined): string | undefined {
  if (reading === undefined || hint === undefined) return reading ?? hint;
  return `${reading}. ${hint}`;
}
