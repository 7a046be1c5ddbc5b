import {
  useEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
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

/** Letters of a name that is not cut where a table has room for its columns at all. */
const SHORT_NAME = 20;

/** The classes of a text that is cut; a short name of a person is cut after the texts next to it. */
function clippedClass(text: string, isName: boolean): string {
  return classNames('clipped', isName && text.length <= SHORT_NAME && 'clipped--name');
}

/** The ending of an account after a text: "Withdrawal to Cascade Federal Credit Union ••2208". */
const ENDING = /^(.*\S)( ••\d+)$/u;

interface ClippedTextProps {
  children: string;
  isName?: boolean | undefined;
  className?: string | undefined;
  /** The part that is cut. */
  ref: Ref<HTMLSpanElement>;
  /** Attributes of the outermost element. */
  box?: HTMLAttributes<HTMLSpanElement>;
}

/** A text that is cut, but never the ending of an account after it: people know the account by its digits. */
export function ClippedText({ children, isName = false, className, ref, box }: ClippedTextProps) {
  const [, start = children, ending] = ENDING.exec(children) ?? [];
  const classes = classNames(clippedClass(start, isName), className);
  if (ending === undefined) {
    return (
      <span {...box} className={classes} ref={ref}>
        {start}
      </span>
    );
  }
  return (
    <span {...box} className="clipped-before">
      <span className={classes} ref={ref}>
        {start}
      </span>
      <span className={classNames('num', className)} translate="no">
        {ending}
      </span>
    </span>
  );
}

interface ClippedProps {
  children: string;
  /** The name of a person: other texts of the row are cut first. */
  isName?: boolean | undefined;
  className?: string | undefined;
}

/**
 * A line of text that ends in an ellipsis where there is no room for it, such as a name: it narrows
 * before anything beside it does. While it is cut it can be focused, and shows the whole.
 */
export function Clipped({ children, isName, className }: ClippedProps) {
  const text = useRef<HTMLSpanElement>(null);
  const { isCut, handlers, tooltip } = useWhole(text, text);
  return (
    <>
      <ClippedText
        isName={isName}
        className={className}
        ref={text}
        box={{ ...handlers, ...(isCut && { tabIndex: 0 }) }}
      >
        {children}
      </ClippedText>
      {tooltip(children)}
    </>
  );
}
