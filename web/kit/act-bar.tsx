import type { ReactNode } from 'react';
import './act-bar.css';

interface ActBarProps {
  /** Its accessible name: "Selected rows". */
  label: string;
  /** What is selected or unsaved. */
  what: ReactNode;
  /** The buttons. */
  children: ReactNode;
}

/** What is selected or unsaved, and what can be done with it. It floats over the end of a long page. */
export function ActBar({ label, what, children }: ActBarProps) {
  return (
    <div className="actbar" role="group" aria-label={label}>
      <p className="actbar__what">{what}</p>
      <div className="actbar__acts">{children}</div>
    </div>
  );
}
