import { useId, type ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** At the right of the title: a total, a link. */
  end?: ReactNode;
  children: ReactNode;
}

/** A titled part of a screen, named by its title. */
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
