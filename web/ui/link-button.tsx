import { Link } from 'react-aria-components';
import { buttonClass, type ButtonKind, type ButtonShape } from './button.tsx';
import type { Named } from './named.ts';

type LinkButtonProps = Named & LinkButtonOptions;

interface LinkButtonOptions {
  href: string;
  kind?: ButtonKind | undefined;
  shape?: ButtonShape | undefined;
  /** Opens an address outside Purser in a new tab. */
  opensTab?: boolean | undefined;
}

/** Link that looks like a button. It navigates client-side inside a React Aria `RouterProvider`. */
export function LinkButton({
  children,
  href,
  kind,
  shape,
  'aria-label': label,
  opensTab = false,
}: LinkButtonProps) {
  return (
    <Link
      href={href}
      className={buttonClass(kind, shape)}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(opensTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {children}
    </Link>
  );
}

/** Underlined link in text or next to a title. */
export function TextLink({ children, href, 'aria-label': label }: Named & { href: string }) {
  return (
    <Link href={href} className="link" {...(label === undefined ? {} : { 'aria-label': label })}>
      {children}
    </Link>
  );
}
