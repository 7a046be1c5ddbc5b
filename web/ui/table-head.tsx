import { ChevronDown } from 'lucide-react';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Sort {
  /** The id of a column. */
  column: string;
  direction: 'ascending' | 'descending';
}

interface HeadCellProps {
  column: {
    id: string;
    header: string;
    align?: 'right' | 'center' | undefined;
    isSortable?: boolean | undefined;
    isHeaderHidden?: boolean | undefined;
  };
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

/** One head of a column. A sortable one is a button; pressing the sorted column turns its direction. */
export function HeadCell({
  column: { id, header, align, isSortable, isHeaderHidden },
  sort,
  onSort,
}: HeadCellProps) {
  const direction = sort?.column === id ? sort.direction : undefined;
  const className = align === undefined ? undefined : { right: 'r', center: 'c' }[align];
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={direction}>
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
      ) : isHeaderHidden === true ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  );
}
