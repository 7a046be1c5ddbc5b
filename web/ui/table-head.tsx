import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Sort {
  /** Id of a column. */
  column: string;
  direction: 'ascending' | 'descending';
}

interface Placed {
  align?: 'right' | 'center' | undefined;
  isPinned?: boolean | undefined;
  isWideOnly?: boolean | undefined;
  isWidestOnly?: boolean | undefined;
}

/** Classes for the position of a column's cells. */
export function cellClass({
  align,
  isPinned,
  isWideOnly,
  isWidestOnly,
}: Placed): string | undefined {
  return (
    classNames(
      align !== undefined && { right: 'r', center: 'c' }[align],
      isPinned === true && 'pinned',
      isWideOnly === true && 'wide-only',
      isWidestOnly === true && 'widest-only',
    ) || undefined
  );
}

interface HeadCellProps {
  column: Placed & {
    id: string;
    header: string;
    head?: ReactNode;
    isSortable?: boolean | undefined;
    isHeaderHidden?: boolean | undefined;
  };
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

/** Head of a column. A sortable one is a button. Pressing the sorted column reverses its order. */
export function HeadCell({ column, sort, onSort }: HeadCellProps) {
  const { id, header, head, isSortable, isHeaderHidden } = column;
  const direction = sort?.column === id ? sort.direction : undefined;
  return (
    <th role="columnheader" scope="col" className={cellClass(column)} aria-sort={direction}>
      {isSortable === true && onSort ? (
        <button
          type="button"
          className="sort"
          onClick={() =>
            onSort({
              column: id,
              direction: direction === 'ascending' ? 'descending' : 'ascending',
            })
          }
        >
          {header}
          <Icon of={ChevronDown} size={16} />
        </button>
      ) : head !== undefined ? (
        head
      ) : isHeaderHidden === true ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  );
}
