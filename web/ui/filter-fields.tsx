import { useId, useState } from 'react';
import { currencySymbol, decimalAmount, parseAmount, type Currency } from '#contract/money.ts';

interface FilterFieldProps {
  label: string;
  /** '' while nothing is asked. */
  value: string;
  onChange: (value: string) => void;
}

/** A calendar day as a filter over a list, its label inside the frame: "From 12/08/2026". */
export function FilterDay({ label, value, onChange }: FilterFieldProps) {
  const id = useId();
  return (
    <span className="filter">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </span>
  );
}

/**
 * An amount as a filter over a list; its value is whole minor units as digits. It filters on leaving
 * the field or by Enter; what is no amount is marked and filters nothing.
 */
export function FilterAmount({
  label,
  value,
  currency,
  onChange,
}: FilterFieldProps & { currency: Currency }) {
  const id = useId();
  const shown = value === '' ? '' : decimalAmount(BigInt(value));
  const [typed, setTyped] = useState(shown);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setTyped(shown);
  }
  const minor = typed.trim() === '' ? '' : parseAmount(typed)?.toString();

  function send(): void {
    if (minor !== undefined && minor !== value) onChange(minor);
  }

  return (
    <span className="filter">
      <label htmlFor={id}>{`${label} ${currencySymbol(currency)}`}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        aria-invalid={minor === undefined ? true : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={send}
        onKeyDown={(event) => event.key === 'Enter' && send()}
      />
    </span>
  );
}
