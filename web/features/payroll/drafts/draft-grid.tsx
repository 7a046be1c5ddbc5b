import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { counted } from '#web/lib/format.ts';
import { editedText, minorOf, placePaste, readPaste } from './amounts.ts';
import type { DraftPerson, PlacedPaste } from './amounts.ts';
import { ComparedHeads, DraftRow } from './draft-row.tsx';
import type { DraftState, DraftWork } from './draft-work.ts';

const ROW_PX = 40;
const ROWS_AROUND = 12;

interface DraftGridProps {
  state: DraftState;
  work: DraftWork;
  /** The people who are shown, in order. */
  people: readonly DraftPerson[];
  /** Everyone, for a paste by employee ID. */
  everyone: readonly DraftPerson[];
  /** @param words how many cells were filled in, and how many not */
  onPasted: (words: string) => void;
  /** Called for Ctrl F. */
  onFind: () => void;
}

/**
 * Amounts of a payroll, edited like a spreadsheet: arrows move, typing replaces, Enter goes down, Tab on, Delete leaves
 * a person out, and a copied column is pasted from the cell down. One stop of the Tab key for the whole grid.
 */
export function DraftGrid({ state, work, people, everyone, onPasted, onFind }: DraftGridProps) {
  const { edits, wrong, loaded } = state;
  const { currency } = loaded.draft.total;
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [editing, setEditing] = useState<{ id: string; text: string } | null>(null);
  // It draws again by itself when the box is scrolled, so nothing of it may be remembered.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: people.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AROUND,
    getItemKey: (index) => people[index]?.id ?? index,
  });
  const at = Math.min(active, Math.max(0, people.length - 1));
  const takesFocus = useRef(false);

  function focusRow(index: number): void {
    const next = Math.min(Math.max(index, 0), people.length - 1);
    takesFocus.current = true;
    setActive(next);
    rows.scrollToIndex(next);
  }

  useEffect(() => {
    if (!takesFocus.current || editing !== null) return;
    const cell = box.current?.querySelector<HTMLElement>('[data-active] [data-cell]');
    if (cell === null || cell === undefined) return;
    takesFocus.current = false;
    cell.focus();
  });

  function endEditing(to?: number): void {
    if (editing !== null) work.enter([editing]);
    setEditing(null);
    focusRow(to ?? at);
  }

  function startEditing(person: DraftPerson, text?: string): void {
    // Another cell may still be edited: it was scrolled out of sight.
    if (editing !== null && editing.id !== person.id) work.enter([editing]);
    const known = wrong.get(person.id)?.text ?? editedText(minorOf(person, edits));
    setEditing({ id: person.id, text: text ?? known });
  }

  function onCellKey(event: KeyboardEvent, person: DraftPerson, index: number): void {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const isCommand = ctrlKey || metaKey;
    if (isCommand && key.toLowerCase() === 'z') (shiftKey ? work.redo : work.undo)();
    else if (isCommand && key.toLowerCase() === 'y') work.redo();
    else if (isCommand && key.toLowerCase() === 'f') onFind();
    else if (isCommand) return;
    else if (key === 'ArrowDown') focusRow(index + 1);
    else if (key === 'ArrowUp') focusRow(index - 1);
    else if (key === 'PageDown') focusRow(index + ROWS_AROUND);
    else if (key === 'PageUp') focusRow(index - ROWS_AROUND);
    else if (key === 'Home') focusRow(0);
    else if (key === 'End') focusRow(people.length - 1);
    else if (key === 'Enter') focusRow(shiftKey ? index - 1 : index + 1);
    else if (key === 'F2') startEditing(person);
    else if (key === 'Delete' || key === 'Backspace') work.enter([{ id: person.id, text: '' }]);
    else if (/^[\d$.,]$/.test(key)) startEditing(person, key);
    else return;
    event.preventDefault();
  }

  function onInputKey(event: KeyboardEvent, index: number): void {
    const { key, shiftKey } = event;
    if (key === 'Enter') endEditing(shiftKey ? index - 1 : index + 1);
    else if (key === 'Tab') endEditing(shiftKey ? index - 1 : index + 1);
    else if (key === 'ArrowDown') endEditing(index + 1);
    else if (key === 'ArrowUp') endEditing(index - 1);
    else if (key === 'Escape') {
      setEditing(null);
      focusRow(at);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPaste(event: ClipboardEvent, index: number): void {
    const text = event.clipboardData.getData('text/plain');
    const copied = readPaste(text);
    if (copied === null && editing !== null) return;
    event.preventDefault();
    const pasted = copied ?? [{ amount: text }];
    setEditing(null);
    const { cells: placed, ...left } = placePaste(pasted, { shown: people, everyone, index });
    const entered = work.enter(placed);
    onPasted(pasted.length === 1 ? '' : pastedWords({ ...entered, ...left }));
    takesFocus.current = true;
  }

  const shown = rows.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className="grid-box" ref={box}>
      <table
        className="table table--dense table--two-line grid"
        // A table whose cells are typed in, as spreadsheets are.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label={`Amounts of ${loaded.draft.name}`}
        aria-rowcount={people.length + 1}
      >
        <colgroup>
          <col />
          <col />
          <col />
          <col />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Name</th>
            <th scope="col">Department</th>
            <th scope="col">Wallet</th>
            <ComparedHeads lastOn={loaded.lastOn} typed="cell-h" />
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer px={before} />}
          {shown.map(({ index }) => {
            const person = people[index];
            if (person === undefined) return null;
            const isEditing = editing?.id === person.id;
            return (
              <DraftRow
                key={person.id}
                ref={rows.measureElement}
                {...{ index, person, currency }}
                isActive={index === at}
                minor={minorOf(person, edits)}
                wrong={isEditing ? undefined : wrong.get(person.id)}
                typed={isEditing ? editing.text : undefined}
                cell={{
                  onFocus: () => setActive(index),
                  onClick: () => startEditing(person),
                  onKeyDown: (event) => onCellKey(event, person, index),
                  onPaste: (event) => onPaste(event, index),
                }}
                input={{
                  onType: (text) => setEditing({ id: person.id, text }),
                  onKeyDown: (event) => onInputKey(event, index),
                  onPaste: (event) => onPaste(event, index),
                  onLeave: () => {
                    if (isEditing) work.enter([editing]);
                    setEditing(null);
                  },
                }}
              />
            );
          })}
          {after > 0 && <Spacer px={after} />}
        </tbody>
      </table>
    </div>
  );
}

/** "12 amounts filled in, 1 cell could not be read, 2 rows without a person, 2 rows left out that name somebody twice" */
function pastedWords({
  filled,
  wrong,
  unknown,
  twice,
}: ReturnType<DraftWork['enter']> & Omit<PlacedPaste, 'cells'>): string {
  return [
    `${counted(filled, 'amount')} filled in`,
    ...(wrong > 0 ? [`${counted(wrong, 'cell')} could not be read`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'row')} without a person`] : []),
    ...(twice > 0 ? [`${counted(twice, 'row')} left out that name somebody twice`] : []),
  ].join(', ');
}

/** Room of the rows that are not drawn. */
function Spacer({ px }: { px: number }) {
  return (
    <tr aria-hidden="true" className="grid__spacer">
      <td colSpan={6} ref={(cell) => cell?.style.setProperty('height', `${px}px`)}>
        {null}
      </td>
    </tr>
  );
}
