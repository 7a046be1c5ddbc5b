import { useRef } from 'react';
import { Link } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ClippedText, useWhole } from './clipped.tsx';

interface CommonProps {
  /** Its accessible name: "Open Maya Castellanos, $320.00". */
  label: string;
  /** Underlined also while nobody points at it. */
  isMarked?: boolean | undefined;
  /** As in {@link Clipped}. */
  isName?: boolean | undefined;
  children: string;
}

type RowLinkProps = CommonProps & ({ onPress: () => void } | { href: string });

/**
 * The cell that names a row of a table and opens it. A row that has a page of its own is a link, which opens
 * in another tab as any link does. A long name is cut, and shown whole on hover and focus.
 */
export function RowLink({
  label,
  isMarked = false,
  isName = false,
  children,
  ...opens
}: RowLinkProps) {
  const control = useRef<HTMLAnchorElement & HTMLButtonElement>(null);
  const name = useRef<HTMLSpanElement>(null);
  const { handlers, tooltip } = useWhole(name, control);
  const { onMouseEnter, onMouseLeave, ...others } = handlers;
  const shown = {
    className: classNames('row-link', isMarked && 'row-link--marked'),
    'aria-label': label,
    children: (
      <ClippedText isName={isName} ref={name}>
        {children}
      </ClippedText>
    ),
  };
  return (
    <>
      {'href' in opens ? (
        <Link
          ref={control}
          href={opens.href}
          {...shown}
          {...others}
          onHoverStart={onMouseEnter}
          onHoverEnd={onMouseLeave}
        />
      ) : (
        <button ref={control} type="button" onClick={opens.onPress} {...shown} {...handlers} />
      )}
      {tooltip(children)}
    </>
  );
}
