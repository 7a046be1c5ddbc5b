import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components';
import { classNames } from './class-names.ts';

/**
 * Shows the whole of a text that is cut, on pointing at it and on focus. Escape hides it.
 *
 * @param text where the text stands, which says whether it is cut
 * @param anchor the control around it, or the text itself
 */
export function useWhole(
  text: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
) {
  const [isCut, setIsCut] = useState(false);
  const [isShown, setIsShown] = useState(false);

  useEffect(() => {
    const element = text.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setIsCut(element.scrollHeight > element.clientHeight + 1),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [text]);

  const show = () => setIsShown(true);
  const hide = () => setIsShown(false);
  const handlers = {
    onMouseEnter: show,
    onMouseLeave: hide,
    onFocus: show,
    onBlur: hide,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && hide(),
  };
  const tooltip = (whole: string) =>
    isCut && isShown ? (
      <TooltipTriggerStateContext
        value={{ isOpen: true, open: show, close: hide, shouldSkipAnimation: true }}
      >
        <Tooltip className="tooltip" triggerRef={anchor} offset={6}>
          {whole}
        </Tooltip>
      </TooltipTriggerStateContext>
    ) : null;
  return { isCut, handlers, tooltip };
}

interface ClippedProps {
  children: string;
  className?: string | undefined;
}

/**
 * A line of text that ends in an ellipsis where there is no room for it, such as a name: it narrows
 * before anything beside it does. While it is cut it can be focused, and shows the whole.
 */
export function Clipped({ children, className }: ClippedProps) {
  const box = useRef<HTMLSpanElement>(null);
  const { isCut, handlers, tooltip } = useWhole(box, box);
  return (
    <>
      <span
        ref={box}
        className={classNames('clipped', className)}
        {...handlers}
        {...(isCut && { tabIndex: 0 })}
      >
        {children}
      </span>
      {tooltip(children)}
    </>
  );
}
