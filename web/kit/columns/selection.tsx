import { useEffect, useRef } from 'react';
import type { Column } from '#web/ui/table.tsx';
import type { Selection } from '../use-selection.ts';
import '../selection.css';

/** The checkbox of each row that can be selected, and that of all of them in the head. */
export function selectionColumn<Row>(
  selection: Selection<Row>,
  nameOf: (row: Row) => string,
): Column<Row> {
  const { selectable, has, toggle } = selection;
  return {
    id: 'selection',
    header: 'Selected',
    head: <SelectAll selection={selection} />,
    narrow: 'hidden',
    isHeaderHidden: true,
    cell: (row) =>
      selectable.includes(row) && (
        <Pick
          label={`Select ${nameOf(row)}`}
          isChecked={has(row)}
          isSome={false}
          onChange={() => toggle(row)}
        />
      ),
  };
}

function SelectAll<Row>({ selection }: { selection: Selection<Row> }) {
  const { selectable, rows, selectAll, clear } = selection;
  const isAll = selectable.length > 0 && rows.length === selectable.length;
  return (
    <Pick
      label="Select all on this page"
      isChecked={isAll}
      isSome={rows.length > 0 && !isAll}
      isDisabled={selectable.length === 0}
      onChange={isAll ? clear : selectAll}
    />
  );
}

interface PickProps {
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is selected. */
  isSome: boolean;
  isDisabled?: boolean;
  onChange: () => void;
}

function Pick({ label, isChecked, isSome, isDisabled = false, onChange }: PickProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className="check pick">
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onChange}
      />
    </label>
  );
}
