import { currencySymbol, type Currency, type Money } from '#contract/money.ts';

/** A horizontal line of a chart. */
interface ChartLine {
  /** Minor units. */
  amount: bigint;
  /** "$10k" */
  label: string;
}

export interface ChartScale {
  /** Amount at the upper edge. At least 1, because lengths are divided by it. */
  top: bigint;
  lines: readonly ChartLine[];
}

const MAX_LINES = 3n;
const MINOR_UNITS = 100n;

/**
 * Scale with at most three lines at round amounts of whole units (1, 2 or 5 times a power of ten),
 * and some room above the highest bar. All amounts have one currency. Without data there are no
 * lines.
 */
export function chartScale(amounts: readonly Money[]): ChartScale {
  const highest = amounts
    .map(({ minor }) => BigInt(minor))
    .reduce((most, amount) => (amount > most ? amount : most), 0n);
  const [first] = amounts;
  if (first === undefined || highest <= 0n) return { top: 1n, lines: [] };
  const step = roundStep(highest);
  const lines: ChartLine[] = [];
  for (let amount = step; amount <= highest; amount += step) {
    lines.push({ amount, label: shortLabel(amount, first.currency) });
  }
  return { top: highest + highest / 12n + 1n, lines };
}

/** Smallest round step that needs at most {@link MAX_LINES} lines. */
function roundStep(highest: bigint): bigint {
  for (let power = MINOR_UNITS; ; power *= 10n) {
    for (const factor of [1n, 2n, 5n]) {
      if (highest / (power * factor) <= MAX_LINES) return power * factor;
    }
  }
}

/** "$500", "$10k", "$2M". The step is round, so no digits are lost. */
function shortLabel(amount: bigint, currency: Currency): string {
  const symbol = currencySymbol(currency);
  const units = amount / MINOR_UNITS;
  if (units >= 1_000_000n && units % 1_000_000n === 0n) return `${symbol}${units / 1_000_000n}M`;
  if (units >= 1_000n && units % 1_000n === 0n) return `${symbol}${units / 1_000n}k`;
  return symbol + units.toLocaleString('en-US');
}
