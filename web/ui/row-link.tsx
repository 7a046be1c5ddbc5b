import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface RowLinkProps {
  /** Its accessible name: "Open Maya Castellanos, $320.00". */
  label: string;
  /** Underlined also while nobody points at it. */
  isMarked?: boolean | undefined;
  onPress: () => void;
  children: ReactNode;
}

/** What names a row of a table and opens it. */
export function RowLink({ label, isMarked = false, onPress, children }: RowLinkProps) {
  return (
    <button
      type="button"
      className={classNames('row-link', isMarked && 'row-link--marked')}
      aria-label={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
