import { useRef } from 'react';
import { Link } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ClippedText, useWhole } from './clipped.tsx';

interface CommonProps {
  /** Accessible name: "Open Maya Castellanos, $320.00". */
  label: string;
  /** Underlined even without hover. */
  isMarked?: boolean | undefined;
  /** As in {@link Clipped}. */
  isName?: boolean | undefined;
  children: string;
}

type RowLinkProps = CommonProps & ({ onPress: () => void } | { href: string });

/**
 * Cell that names a table row and opens it. If the row has a page, the cell is a link, which can
 * open in another tab as usual. A long name is cut, and shown in full on hover and focus.
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
