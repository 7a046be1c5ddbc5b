import { useId, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** Content at the right of the title: a total, a link. */
  end?: ReactNode;
  children: ReactNode;
}

/** Part of a screen, with a title that is its accessible name. */
export function Section({ title, end, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="section__head">
        <h2 className="section-title" id={id}>
          {title}
        </h2>
        {end}
      </div>
      {children}
    </section>
  );
}
