import type { ReactNode } from 'react';

/** Keeps the line of a note that comes with its figure, so that what is below does not move. */
export const NOTE_TO_COME = '\u00a0';

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
