import type { ReactNode } from 'react';

/**
 * Reserves the line of a note that loads with its figure, so that the content below does not move.
 */
export const NOTE_TO_COME = '\u00a0';

interface StatProps {
  label: string;
  /** Figure: a {@link Money}, a count. A {@link SkeletonBar} while loading, never 0. */
  value: ReactNode;
  note?: ReactNode;
}

/** Row of {@link Stat}s with thin lines between them, two per line on phones. */
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
