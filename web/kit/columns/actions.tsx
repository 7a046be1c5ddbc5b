import { Button, type ButtonKind } from '#web/ui/button.tsx';
import type { Column } from '#web/ui/table.tsx';
import { ROW_SHORTCUTS } from '../row-keys.ts';
import type { ColumnPlace } from './column.ts';

/** Column of acts at the end of a row. Its header is read out and not shown. */
export const ACTIONS_COLUMN = {
  id: 'actions',
  header: 'Actions',
  align: 'right',
  isHeaderHidden: true,
} as const;

/** Acts that a row offers now. */
export interface RowAction {
  /** "Approve" */
  label: string;
  /** Word of a long label that is shown in its place. The whole label is read out. */
  shortLabel?: string;
  kind?: ButtonKind;
  /** Lighter than the others: what opening the row does too. */
  isQuiet?: boolean;
  /** A plain reason why it cannot be pressed now, for people who reach the button or point at it. */
  why?: string | undefined;
  onPress: () => void;
}

interface ActionsColumn<Row> extends ColumnPlace {
  /** Name of the row that a button acts on, for screen readers: "Grace Achieng, $620.00". */
  nameOf: (row: Row) => string;
  /** The step that takes it on stands last, at the edge. */
  actions: (row: Row) => readonly RowAction[];
}

/** The buttons of a row. Each has the row in its name: "Approve Grace Achieng, $620.00". */
export function actionsColumn<Row>({ nameOf, actions, ...place }: ActionsColumn<Row>): Column<Row> {
  return {
    ...ACTIONS_COLUMN,
    isPinned: true,
    ...place,
    cell: (row) => (
      <span className="table__acts">
        {actions(row).map(({ label, shortLabel = label, kind, isQuiet = false, why, onPress }) => {
          const button = (
            <Button
              key={label}
              shape="text"
              kind={kind}
              className={isQuiet ? 'table__details' : undefined}
              shortcut={ROW_SHORTCUTS[label]}
              aria-label={`${label} ${nameOf(row)}`}
              why={why}
              onPress={onPress}
            >
              {shortLabel}
            </Button>
          );
          if (why === undefined) return button;
          return (
            <span key={label} title={why}>
              {button}
            </span>
          );
        })}
      </span>
    ),
  };
}
