import { useEffect, useRef } from 'react';
import type { Column } from '#web/ui/table.tsx';
import { useListSelection } from '../use-selection.ts';
import '../selection.css';

/** The checkbox of each row that can be selected, and that of all of them in the head. */
export function selectionColumn<Row>(nameOf: (row: Row) => string): Column<Row> {
  return {
    id: 'selection',
    header: 'Selected',
    head: <SelectAll />,
    narrow: 'hidden',
    isHeaderHidden: true,
    cell: (row) => <SelectRow row={row} nameOf={nameOf} />,
  };
}

function SelectRow<Row>({ row, nameOf }: { row: Row; nameOf: (row: Row) => string }) {
  const { canSelect, has, toggle } = useListSelection<Row>();
  if (!canSelect(row)) return null;
  return (
    <Pick
      label={`Select ${nameOf(row)}`}
      isChecked={has(row)}
      isSome={false}
      onChange={() => toggle(row)}
    />
  );
}

function SelectAll() {
  const { selectable, onPage, togglePage } = useListSelection();
  const isAll = selectable.length > 0 && onPage.length === selectable.length;
  return (
    <Pick
      label="Select all on this page"
      isChecked={isAll}
      isSome={onPage.length > 0 && !isAll}
      isDisabled={selectable.length === 0}
      onChange={togglePage}
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
