import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Lets what is too wide scroll in its own box, never the page. While something is hidden the box can be
 * focused, so that arrow keys scroll it (WCAG 2.1.1); otherwise it is no extra stop on the way.
 */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isOverflowing, setIsOverflowing] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setIsOverflowing(element.scrollWidth > element.clientWidth),
    );
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);

  const whileOverflowing = isOverflowing
    ? { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls sideways` }
    : {};
  return (
    <div className="table-wrap" ref={box} {...whileOverflowing}>
      {children}
    </div>
  );
}
