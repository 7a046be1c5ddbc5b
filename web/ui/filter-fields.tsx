import { useId, useState } from 'react';
import { currencySymbol, decimalAmount, parseAmount, type Currency } from '#contract/money.ts';
import { useTypedSearch } from '#web/lib/typing.ts';

interface FilterFieldProps {
  label: string;
  /** '' if there is no filter. */
  value: string;
  /** Id of the element with the error. Undefined if the value is valid. */
  problemId?: string | undefined;
  onChange: (value: string) => void;
}

const FIRST_DAY = '1900-01-01';

/** Calendar day to filter a list, with its label inside the frame: "From 12/08/2026". */
export function FilterDay({ label, value, problemId, onChange }: FilterFieldProps) {
  const id = useId();
  // While a year is typed, it lies in the first centuries until its last digit.
  const [typed, type] = useTypedSearch(value, (day) => {
    if (day === '' || day >= FIRST_DAY) onChange(day);
  });
  return (
    <span className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={typed}
        aria-invalid={problemId === undefined ? undefined : true}
        aria-describedby={problemId}
        onChange={({ target }) => type(target.value)}
      />
    </span>
  );
}

/**
 * Amount to filter a list. The value is whole minor units as digits. It filters after a pause in
 * typing. Invalid text is marked and does not filter.
 */
export function FilterAmount({
  label,
  value,
  currency,
  problemId,
  onChange,
}: FilterFieldProps & { currency: Currency }) {
  const id = useId();
  const minorOf = (text: string) => readMinor(text, currency);
  const [sent, setSent] = useState('');
  // Typed text stays unchanged, so that "1" does not become "1.00" before the next digit.
  const shown = minorOf(sent) === value ? sent : value === '' ? '' : decimalAmount(BigInt(value));
  const [typed, type] = useTypedSearch(shown, (text) => {
    const minor = minorOf(text);
    setSent(text);
    if (minor !== undefined && minor !== value) onChange(minor);
  });
  return (
    <span className="filter">
      <label htmlFor={id}>{`${label} ${currencySymbol(currency)}`}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        aria-invalid={problemId !== undefined || minorOf(typed) === undefined ? true : undefined}
        aria-describedby={problemId}
        onChange={(event) => type(event.target.value)}
      />
    </span>
  );
}

/** '' for empty text. Undefined for text that is not an amount. */
function readMinor(typed: string, currency: Currency): string | undefined {
  return typed.trim() === '' ? '' : parseAmount(typed, currency)?.toString();
}
