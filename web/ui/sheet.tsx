import { useId, type ReactNode } from 'react';

interface SheetProps {
  title: string;
  /** Content at the right of the title. */
  end?: ReactNode;
  /** Line under the content, with acts. */
  foot?: ReactNode;
  children: ReactNode;
}

/** A framed part of a screen, with a title that is its accessible name. */
export function Sheet({ title, end, foot, children }: SheetProps) {
  const id = useId();
  return (
    <section className="sheet" aria-labelledby={id}>
      <div className="sheet__head">
        <h2 className="section-title" id={id}>
          {title}
        </h2>
        {end}
      </div>
      <div className="sheet__body">{children}</div>
      {foot && <div className="sheet__foot">{foot}</div>}
    </section>
  );
}
