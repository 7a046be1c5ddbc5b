import type { ReactNode } from 'react';
import './act-bar.css';

interface ActBarProps {
  /** Its accessible name: "Selected rows". */
  label: string;
  /** The selection or the unsaved changes, in words. */
  what: ReactNode;
  /** The buttons. */
  children: ReactNode;
}

/** Bar that says what is selected or unsaved, with its buttons. It floats over the end of a long page. */
export function ActBar({ label, what, children }: ActBarProps) {
  return (
    <div className="actbar" role="group" aria-label={label}>
      <p className="actbar__what">{what}</p>
      <div className="actbar__acts">{children}</div>
    </div>
  );
}
