import { Link } from 'react-aria-components';
import { buttonClass, type ButtonKind, type ButtonShape } from './button.tsx';
import type { Named } from './named.ts';

type LinkButtonProps = Named & LinkButtonOptions;

interface LinkButtonOptions {
  href: string;
  kind?: ButtonKind | undefined;
  shape?: ButtonShape | undefined;
  /** Leads out of Purser, in a tab of its own. */
  opensTab?: boolean | undefined;
}

/** Goes somewhere, looks like a button. Client-side where a React Aria `RouterProvider` stands above it. */
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

/** An underlined link within text or beside a title. */
export function TextLink({ children, href, 'aria-label': label }: Named & { href: string }) {
  return (
    <Link href={href} className="link" {...(label === undefined ? {} : { 'aria-label': label })}>
      {children}
    </Link>
  );
}
