import type { ReactNode } from 'react';
import type { Money as Amount, SignDisplay } from '#contract/money.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import './sum-line.css';

interface Sum {
  label: string;
  /** Undefined while it loads: a bar stands in for it. */
  amount: Amount | undefined;
  signs?: SignDisplay;
  isStrong?: boolean;
}

interface SumLineProps {
  /** The accessible name: "Opening and closing balance". */
  label: string;
  /** The subject of the sums, and further words about it. */
  of: string;
  words: ReactNode;
  sums: readonly Sum[];
}

/** A line of sums over a list. */
export function SumLine({ label, of, words, sums }: SumLineProps) {
  return (
    <dl className="sum-line" aria-label={label}>
      <div className="sum-line__what">
        <dt className="strong">{of}</dt>
        <dd>{words}</dd>
      </div>
      {sums.map(({ label: name, amount, signs, isStrong }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={isStrong === true ? 'strong' : undefined}>
            {amount === undefined ? (
              <SkeletonBar width="short" />
            ) : (
              <Money amount={amount} signs={signs} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
