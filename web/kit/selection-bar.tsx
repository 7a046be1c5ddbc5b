import type { ReactNode } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ActBar } from './act-bar.tsx';
import type { Selection } from './use-selection.ts';
import './selection.css';

interface SelectionBarProps<Row> {
  selection: Selection<Row>;
  /** What the selected rows come to, where they do to anything: "$8,125.00". */
  sum?: string;
  /** What the buttons leave out, if anything. */
  note?: string | undefined;
  /** The buttons. */
  children: ReactNode;
}

/** How many rows are selected and what can be done with them. It floats over the end of a long page. */
export function SelectionBar<Row>({ selection, sum, note, children }: SelectionBarProps<Row>) {
  const { rows, selectable, selectAll, clear } = selection;
  if (rows.length === 0) return null;
  return (
    <ActBar
      label="Selected rows"
      what={
        <>
          <span className="strong num" role="status">
            {`${formatCount(rows.length)} selected${sum === undefined ? '' : `, ${sum}`}`}
          </span>
          {note !== undefined && <span className="muted">{note}</span>}
          {rows.length < selectable.length && (
            <Button shape="text" onPress={selectAll}>
              {`Select all ${formatCount(selectable.length)}`}
            </Button>
          )}
          <Button shape="text" onPress={clear}>
            Clear
          </Button>
        </>
      }
    >
      {children}
    </ActBar>
  );
}
