import { Glyph } from './glyph.tsx';
import { statusTable, type StatusLook, type StatusName } from './status-table.ts';

interface StatusProps {
  status: StatusName;
  /**
   * True if the thing ends well in this status, such as an approved identity. It is drawn as done
   * instead of on its way.
   */
  isFinal?: boolean | undefined;
  /** Word that replaces the table's on this screen. */
  label?: string | undefined;
}

/** Status of a thing: glyph and word in the color of its tone. */
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
