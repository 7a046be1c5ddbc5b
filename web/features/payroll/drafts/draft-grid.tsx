import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { Currency } from '#contract/money.ts';
import { editedText, minorOf, readCell, readPaste } from './amounts.ts';
import type { Change, DraftPerson, Edits } from './amounts.ts';
import { ComparedHeads, DraftRow } from './draft-row.tsx';
import type { Wrong } from './draft-row.tsx';

const ROW_PX = 40;
const ROWS_AROUND = 12;

interface DraftGridProps {
  label: string;
  /** The people who are shown, in order. */
  people: readonly DraftPerson[];
  /** Everyone, for a paste by employee ID. */
  everyone: readonly DraftPerson[];
  edits: Edits;
  currency: Currency;
  /** Payday of the last payroll. */
  lastOn: string | null;
  /** Text of cells that is no amount, by person, with the problem. */
  wrong: ReadonlyMap<string, Wrong>;
  onWrong: (id: string, wrong: Wrong | null) => void;
  /** @param words how many cells were filled in, for a paste */
  onChange: (change: Change, words?: string) => void;
  onUndo: () => void;
  onRedo: () => void;
}

/**
 * Amounts of a payroll, edited like a spreadsheet: arrows move, typing replaces, Enter goes down, Tab on, Delete leaves
 * a person out, and a copied column is pasted from the cell down. One stop of the Tab key for the whole grid.
 */
export function DraftGrid(props: DraftGridProps) {
  const { label, people, edits, currency, lastOn, wrong, onChange } = props;
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

  function commit(person: DraftPerson, text: string): void {
    const read = readCell(text, currency);
    if ('problem' in read) {
      props.onWrong(person.id, { text, problem: read.problem });
      return;
    }
    props.onWrong(person.id, null);
    onChange([{ id: person.id, before: minorOf(person, edits), after: read.minor }]);
  }

  function endEditing(isKept: boolean, to?: number): void {
    if (editing === null) return;
    const person = people.find(({ id }) => id === editing.id);
    if (isKept && person !== undefined) commit(person, editing.text);
    setEditing(null);
    focusRow(to ?? at);
  }

  function startEditing(person: DraftPerson, text?: string): void {
    const known = wrong.get(person.id)?.text ?? editedText(minorOf(person, edits));
    setEditing({ id: person.id, text: text ?? known });
  }

  function onCellKey(event: KeyboardEvent, person: DraftPerson, index: number): void {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const isCommand = ctrlKey || metaKey;
    if (isCommand && key.toLowerCase() === 'z') (shiftKey ? props.onRedo : props.onUndo)();
    else if (isCommand && key.toLowerCase() === 'y') props.onRedo();
    else if (isCommand) return;
    else if (key === 'ArrowDown') focusRow(index + 1);
    else if (key === 'ArrowUp') focusRow(index - 1);
    else if (key === 'PageDown') focusRow(index + ROWS_AROUND);
    else if (key === 'PageUp') focusRow(index - ROWS_AROUND);
    else if (key === 'Home') focusRow(0);
    else if (key === 'End') focusRow(people.length - 1);
    else if (key === 'Enter' || key === 'F2') startEditing(person);
    else if (key === 'Delete' || key === 'Backspace') commit(person, '');
    else if (/^[\d$.,]$/.test(key)) startEditing(person, key);
    else return;
    event.preventDefault();
  }

  function onInputKey(event: KeyboardEvent, index: number): void {
    const { key, shiftKey } = event;
    if (key === 'Enter') endEditing(true, shiftKey ? index - 1 : index + 1);
    else if (key === 'Tab') endEditing(true, shiftKey ? index - 1 : index + 1);
    else if (key === 'ArrowDown') endEditing(true, index + 1);
    else if (key === 'ArrowUp') endEditing(true, index - 1);
    else if (key === 'Escape') endEditing(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPaste(event: ClipboardEvent, index: number): void {
    const cells = readPaste(event.clipboardData.getData('text/plain'));
    if (cells === null && editing !== null) return;
    event.preventDefault();
    const pasted = cells ?? [{ amount: event.clipboardData.getData('text/plain') }];
    setEditing(null);
    const change: { id: string; before: bigint | null; after: bigint | null }[] = [];
    let unknown = 0;
    for (const [offset, { id, amount }] of pasted.entries()) {
      const person =
        id === undefined
          ? people[index + offset]
          : props.everyone.find(({ employeeId }) => employeeId === id);
      const read = readCell(amount, currency);
      if (person === undefined) unknown += 1;
      else if ('problem' in read) props.onWrong(person.id, { text: amount, problem: read.problem });
      else {
        props.onWrong(person.id, null);
        change.push({ id: person.id, before: minorOf(person, edits), after: read.minor });
      }
    }
    const left = unknown === 0 ? '' : `, ${unknown} without a person`;
    onChange(change, `${change.length} amounts filled in${left}`);
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
        aria-label={label}
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
            <ComparedHeads lastOn={lastOn} typed="cell-h" />
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
                    if (isEditing) commit(person, editing.text);
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
