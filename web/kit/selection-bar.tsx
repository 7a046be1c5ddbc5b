import { useState, type ReactNode } from 'react';
import type { ListDeclaration } from '#contract/api.ts';
import { errorMessage } from '#web/api/query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { ActBar } from './act-bar.tsx';
import { MAX_LOADED_ROWS, type ListState, type RowOf } from './use-list.ts';
import type { Selection } from './use-selection.ts';
import './selection.css';

interface SelectionBarProps<List extends ListDeclaration> {
  state: ListState<List>;
  selection: Selection<RowOf<List>>;
  /** Sum of the selected rows, where they have one: "$8,125.00". */
  sum?: string;
  /** Note about rows that the buttons leave out, if there are any. */
  note?: string | undefined;
  /** The buttons. */
  children: ReactNode;
}

/** Number of selected rows and the acts for them. It floats over the end of a long page. */
export function SelectionBar<List extends ListDeclaration>({
  state,
  selection,
  sum,
  note,
  children,
}: SelectionBarProps<List>) {
  const { rows, onPage, clear } = selection;
  if (rows.length === 0) return null;
  const elsewhere = rows.length - onPage.length;
  return (
    <ActBar
      label="Selected rows"
      what={
        <>
          <span className="strong num" role="status">
            {`${formatCount(rows.length)} selected${sum === undefined ? '' : `, ${sum}`}`}
          </span>
          {elsewhere > 0 && (
            <span className="muted num">{`${formatCount(elsewhere)} not on this page`}</span>
          )}
          {note !== undefined && <span className="muted">{note}</span>}
          <SelectAll state={state} selection={selection} />
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

/** Selects every row that the filters match, on all pages. */
function SelectAll<List extends ListDeclaration>({
  state,
  selection,
}: Pick<SelectionBarProps<List>, 'state' | 'selection'>) {
  const [isLoading, setIsLoading] = useState(false);
  const { place } = state.paged;
  const total = place?.kind === 'numbered' ? place.total : undefined;
  if (place === undefined || (total !== undefined && total <= selection.rows.length)) return null;
  const isOnePage = total !== undefined && total <= place.shown;
  // The rest of the only page cannot be selected.
  if (isOnePage && selection.onPage.length === selection.selectable.length) return null;

  async function selectAll(): Promise<void> {
    setIsLoading(true);
    try {
      const rows = await state.loadAll();
      selection.add(rows);
      if (rows.length >= MAX_LOADED_ROWS) {
        toast({
          title: `The first ${formatCount(MAX_LOADED_ROWS)} are selected`,
          message: 'More than that cannot be changed in one go.',
        });
      }
    } catch (error) {
      toast({
        title: 'Not all could be selected',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      });
    }
    setIsLoading(false);
  }
  return (
    <Button
      shape="text"
      isPending={isLoading}
      pendingLabel="Selecting"
      onPress={() => void selectAll()}
    >
      {total === undefined ? 'Select all' : `Select all ${formatCount(total)}`}
    </Button>
  );
}
