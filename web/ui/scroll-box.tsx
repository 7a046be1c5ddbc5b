import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Scrolls wide or long content in its own box, so that the page does not scroll. The box can be
 * focused while a part is hidden, so that arrow keys scroll it (WCAG 2.1.1). Otherwise it is not a
 * tab stop.
 */
export function ScrollBox({
  label,
  className = 'table-wrap',
  children,
}: {
  label: string;
  /** Class that allows overflow. */
  className?: string | undefined;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isOverflowing, setIsOverflowing] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setIsOverflowing(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      ),
    );
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);

  const whileOverflowing = isOverflowing
    ? { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls` }
    : {};
  return (
    <div className={className} ref={box} {...whileOverflowing}>
      {children}
    </div>
  );
}
