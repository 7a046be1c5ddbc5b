import { useEffect, useRef } from 'react';
import { useAmountWords } from '#web/lib/privacy.ts';

/**
 * The first title of a visit leaves the focus at the top of the document, where a new page starts.
 */
let hasShownOne = false;

/**
 * The only h1 of a screen, and the document's title. After a navigation it takes the focus, so that
 * the new screen is announced and reading starts there (WCAG 2.4.3). Inside an open dialog it does
 * not.
 */
export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const isFirst = !hasShownOne;
    hasShownOne = true;
    if (!isFirst && document.activeElement?.closest('[role="dialog"]') == null)
      heading.current?.focus();
  }, []);

  const write = useAmountWords();

  return (
    <>
      <title>{`${write(children)} · Purser`}</title>
      <h1 className="page-title" tabIndex={-1} ref={heading}>
        {children}
      </h1>
    </>
  );
}
