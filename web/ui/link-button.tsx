import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { buttonClass, type ButtonKind, type ButtonShape } from './button.tsx';

interface LinkButtonProps {
  children: ReactNode;
  href: string;
  kind?: ButtonKind | undefined;
  shape?: ButtonShape | undefined;
  'aria-label'?: string | undefined;
  /** The file name to save under, where the address is a download. */
  download?: string | undefined;
}

/** Goes somewhere, looks like a button. Client-side where a React Aria `RouterProvider` stands above it. */
export function LinkButton({
  children,
  href,
  kind,
  shape,
  'aria-label': label,
  download,
}: LinkButtonProps) {
  return (
    <Link
      href={href}
      className={buttonClass(kind, shape)}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(download === undefined ? {} : { download })}
    >
      {children}
    </Link>
  );
}

/** An underlined link within text or beside a title. */
export function TextLink({ children, href }: { children: ReactNode; href: string }) {
  return (
    <Link href={href} className="link">
      {children}
    </Link>
  );
}
