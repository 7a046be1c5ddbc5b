import type { Currency } from '#contract/money.ts';
import { moneyParts, type MinorAmount, type SignDisplay } from '#web/lib/format.ts';
import { classNames } from './class-names.ts';

interface MoneyProps {
  /** Minor units: cents of a dollar. */
  minor: MinorAmount;
  /** ISO 4217 code. */
  currency?: Currency | undefined;
  signs?: SignDisplay | undefined;
  /** For amounts that did not move: failed or cancelled. */
  isFaded?: boolean | undefined;
}

/** An amount in running text or a table. The sign is a character, never a colour; minor units are lighter. */
export function Money({ minor, currency, signs, isFaded = false }: MoneyProps) {
  const parts = moneyParts(minor, currency, signs);
  return (
    <span className={classNames('money', isFaded && 'money--faded')}>
      {parts.sign + parts.symbol + parts.major}
      <span className="money__minor">{parts.minor}</span>
    </span>
  );
}

interface BalanceProps {
  minor: MinorAmount;
  currency?: Currency | undefined;
  signs?: SignDisplay | undefined;
  /** `large` (44 px) for the one balance of a view, `small` (28 px) for the others. */
  size?: 'large' | 'small' | undefined;
}

/** A balance in the display face: the figure a view is about. */
export function Balance({ minor, currency, signs, size = 'large' }: BalanceProps) {
  const parts = moneyParts(minor, currency, signs);
  return (
    <span className={classNames('balance', size === 'small' && 'balance--28')}>
      {parts.sign + parts.symbol + parts.major}
      <span className="money__minor">{parts.minor}</span>
    </span>
  );
}
