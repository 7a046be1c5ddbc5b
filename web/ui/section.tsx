import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SectionProps {
  /** Undefined while nothing else is on the screen: what is drawn stays the same where a title appears. */
  title: string | undefined;
  /** Content at the right of the title: a total, a link. */
  end?: ReactNode;
  /** A line under the title, for rows that begin there. */
  isRuled?: boolean;
  children: ReactNode;
}

/** Part of a screen, with a title that is its accessible name. */
export function Section({ title, end, isRuled = false, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={title && id}>
      {title !== undefined && (
        <div className={classNames('section__head', isRuled && 'section__head--ruled')}>
          <h2 className="section-title" id={id}>
            {title}
          </h2>
          {end}
        </div>
      )}
      {children}
    </section>
  );
}
