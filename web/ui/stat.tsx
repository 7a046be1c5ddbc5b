import type { ReactNode } from 'react';

interface StatProps {
  label: string;
  /** The figure: a {@link Money}, a count. While it loads, a {@link SkeletonBar}; never 0. */
  value: ReactNode;
  note?: ReactNode;
}

/** A row of {@link Stat}s, split by hairlines, two a line on phones. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

/** One figure of a row. */
export function Stat({ label, value, note }: StatProps) {
  return (
    <div className="figure">
      <dt className="figure__label">{label}</dt>
      <dd className="figure__value">{value}</dd>
      {note !== undefined && <dd className="figure__note">{note}</dd>}
    </div>
  );
}
