import type { ReactNode } from 'react';
import { CopyValue } from './copy-value.tsx';
import './shown-once.css';

interface ShownOnceProps {
  /** Over it: "Link to choose a password". */
  title: string;
  value: string;
  /** Label of the button that copies it: "Copy link". */
  copyLabel: string;
  /** Under it: how long it works. */
  note: ReactNode;
}

/** A secret that the server keeps no copy of: a link, a token. */
export function ShownOnce({ title, value, copyLabel, note }: ShownOnceProps) {
  return (
    <div>
      <p className="field__label">{title}</p>
      <div className="once">
        <span>{value}</span>
        <CopyValue value={value} label={copyLabel} words="Copy" />
      </div>
      <p className="meta mt-1">{note}</p>
    </div>
  );
}
