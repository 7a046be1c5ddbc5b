import { moneyParts, type Money as Amount, type SignDisplay } from '#contract/money.ts';
import { useAmountsHidden } from '#web/lib/privacy.ts';
import { classNames } from './class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

interface MoneyProps {
  amount: Amount;
  signs?: SignDisplay | undefined;
  /** True for amounts that did not move: failed or cancelled. */
  isFaded?: boolean | undefined;
}

/** Length from which an amount has a smaller font in a narrow tile: "$999,999,999.99". */
const LONG = 15;

function isLong({ amount, signs }: Pick<MoneyProps, 'amount' | 'signs'>): boolean {
  const { sign, symbol, major, minor } = moneyParts(amount, signs);
  return `${sign}${symbol}${major}.${minor}`.length >= LONG;
}

/** Amount in text or a table. The sign is a character, never a color. Minor units are lighter. */
export function Money({ amount, signs, isFaded = false }: MoneyProps) {
  return (
    <span
      className={classNames(
        'money',
        isFaded && 'money--faded',
        isLong({ amount, signs }) && 'money--long',
      )}
      translate="no"
    >
      <Figures amount={amount} signs={signs} />
    </span>
  );
}

interface BalanceProps {
  amount: Amount;
  signs?: SignDisplay | undefined;
  /** `large` (44 px) for the main balance of a view, `small` (28 px) for others. */
  size?: 'large' | 'small' | undefined;
}

/** Balance in the display face, the main figure of a view. */
export function Balance({ amount, signs, size = 'large' }: BalanceProps) {
  return (
    <span
      className={classNames(
        'balance',
        size === 'small' && 'balance--28',
        isLong({ amount, signs }) && 'money--long',
      )}
      translate="no"
    >
      <Figures amount={amount} signs={signs} />
    </span>
  );
}

function Figures({ amount, signs }: Pick<MoneyProps, 'amount' | 'signs'>) {
  const isHidden = useAmountsHidden();
  const { sign, symbol, major, minor } = moneyParts(amount, signs);
  if (isHidden) return <HiddenFigures sign={sign + symbol} />;
  return (
    <>
      {sign + symbol + major}
      <span className="money__minor">.{minor}</span>
    </>
  );
}

const DOTS = [3, 14, 25, 36] as const;

/** Always four dots, drawn by CSS, so that neither their number nor a copy reveals anything. */
function HiddenFigures({ sign }: { sign: string }) {
  return (
    <>
      <VisuallyHidden>Amount hidden</VisuallyHidden>
      <span aria-hidden="true">{sign}</span>
      <svg className="money__dots" viewBox="0 0 40 6" aria-hidden="true">
        {DOTS.map((x) => (
          <circle key={x} cx={x} cy={3} r={3} />
        ))}
      </svg>
    </>
  );
}
