import { Glyph } from './glyph.tsx';
import { statusTable, type StatusLook, type StatusName } from './status-table.ts';

interface StatusProps {
  status: StatusName;
  /** The status is where the thing ends well, such as an approved identity: drawn as done instead of on its way. */
  isFinal?: boolean | undefined;
  /** Another word than the table's, where a screen has its own. */
  label?: string | undefined;
}

/** Where a thing stands: glyph and word in the colour of its tone. */
export function Status({ status, isFinal = false, label }: StatusProps) {
  const look: StatusLook = isFinal
    ? { ...statusTable[status], tone: 'positive', glyph: 'tick' }
    : statusTable[status];
  return (
    <span className="status" data-tone={look.tone}>
      <Glyph name={look.glyph} />
      {label ?? look.label}
    </span>
  );
}
