import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Lets what is too wide or too long scroll in its own box, never the page. While something is hidden the box can be
 * focused, so that arrow keys scroll it (WCAG 2.1.1); otherwise it is no extra stop on the way.
 */
export function ScrollBox({
  label,
  className = 'table-wrap',
  children,
}: {
  label: string;
  /** The class that lets it overflow. */
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
