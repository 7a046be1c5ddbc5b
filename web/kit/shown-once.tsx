import { CopyValue } from './copy-value.tsx';
import './shown-once.css';

interface ShownOnceProps {
  /** Over it: "Link to choose a password". */
  title: string;
  value: string;
  /** Label of the button that copies it: "Copy link". */
  copyLabel: string;
}

/** A secret that the server keeps no copy of: a link, a token. Say next to it how long it works. */
export function ShownOnce({ title, value, copyLabel }: ShownOnceProps) {
  return (
    <>
      <p className="field__label">{title}</p>
      <div className="once">
        <span>{value}</span>
        <CopyValue value={value} label={copyLabel} words="Copy" />
      </div>
    </>
  );
}
