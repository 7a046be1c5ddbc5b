import type { ReactNode } from 'react';

interface CellProps {
  title: string;
  /** Number of columns, of twelve. */
  width: 4 | 5 | 6 | 7 | 12;
  children: ReactNode;
}

/** One titled part of the gallery. */
export function Cell({ title, width, children }: CellProps) {
  return (
    <section className={`gallery__cell gallery__cell--${width}`}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  );
}
