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
 * Shows the full text of a cut one, on hover and on focus. Escape hides it.
 *
 * @param text element with the text, whose size shows whether it is cut
 * @param anchor control around it, or the text itself
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

/** Length of a text that is never wider than the least width of one that is cut: "KBC". */
const SHORT = 12;
const SHORT_BEFORE_ENDING = 5;

/** Length of a name that is not cut if a table has room for its columns at all. */
const SHORT_NAME = 20;

/** Classes of a text that can be cut. A person's short name is cut after the texts next to it. */
function clippedClass(text: string, isName: boolean, hasDigits: boolean): string {
  return classNames(
    'clipped',
    isName && text.length <= SHORT_NAME && 'clipped--name',
    text.length <= (hasDigits ? SHORT_BEFORE_ENDING : SHORT) && 'clipped--short',
  );
}

/** Account ending after a text: "Withdrawal to Cascade Federal Credit Union ••2208". */
const ENDING = /^(.*\S)( ••\d+)$/u;

interface ClippedTextProps {
  children: string;
  isName?: boolean | undefined;
  className?: string | undefined;
  /** Part that is cut. */
  ref: Ref<HTMLSpanElement>;
  /** Attributes of the outermost element. */
  box?: HTMLAttributes<HTMLSpanElement>;
}

/** True for a text with an account ending, which is never cut. */
export function hasEnding(text: string): boolean {
  return ENDING.test(text);
}

/**
 * Text that can be cut, but never its account ending: people recognize an account by its digits.
 */
export function ClippedText({ children, isName = false, className, ref, box }: ClippedTextProps) {
  const [, start = children, ending] = ENDING.exec(children) ?? [];
  const classes = classNames(clippedClass(start, isName, ending !== undefined), className);
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
  /** True for the name of a person. Other texts in the row are cut first. */
  isName?: boolean | undefined;
  className?: string | undefined;
}

/**
 * Line of text, such as a name, that ends in an ellipsis if there is no room. It shrinks before
 * anything next to it does. While cut, it can be focused and shows its full text.
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
