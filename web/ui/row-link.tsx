import { useRef } from 'react';
import { classNames } from './class-names.ts';
import { useWhole } from './clipped.tsx';

interface RowLinkProps {
  /** Its accessible name: "Open Maya Castellanos, $320.00". */
  label: string;
  /** Underlined also while nobody points at it. */
  isMarked?: boolean | undefined;
  onPress: () => void;
  children: string;
}

/** What names a row of a table and opens it. A long name is cut, and shown whole on hover and focus. */
export function RowLink({ label, isMarked = false, onPress, children }: RowLinkProps) {
  const button = useRef<HTMLButtonElement>(null);
  const name = useRef<HTMLSpanElement>(null);
  const { handlers, tooltip } = useWhole(name, button);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames('row-link', isMarked && 'row-link--marked')}
        aria-label={label}
        onClick={onPress}
        {...handlers}
      >
        <span className="clipped" ref={name}>
          {children}
        </span>
      </button>
      {tooltip(children)}
    </>
  );
}
