import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { monthName } from '#contract/closing.ts';
import { formatDay } from '#web/lib/format.ts';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { monthStatus } from './month-words.ts';
import type { ListedMonth } from './month-words.ts';
import './closing.css';

/** Months, newest first; the shown one is the present page. */
export function MonthList({ months, shown }: { months: readonly ListedMonth[]; shown: string }) {
  const write = useMoments();
  const present = useRef<HTMLAnchorElement>(null);
  // On a phone they are a row that scrolls. The page itself stays where it is.
  useEffect(() => {
    const list = present.current?.closest('ul');
    if (shown === '' || list == null || present.current === null) return;
    list.scrollLeft = present.current.offsetLeft - list.offsetLeft;
  }, [shown]);
  return (
    <nav aria-label="Months">
      <ul className="months">
        {months.map((one) => {
          const toDo = one.checked === null ? null : one.checked.all - one.checked.done;
          return (
            <li key={one.month}>
              <Link
                to="/admin/close"
                search={{ month: one.month }}
                ref={one.month === shown ? present : undefined}
                aria-current={one.month === shown ? 'page' : undefined}
              >
                <span className="months__name">{monthName(one.month)}</span>
                <Status {...monthStatus(one.status, toDo)} />
                <span className="meta">{noteOf(one, write)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function noteOf(
  { status, closed, checked, lastDay }: ListedMonth,
  write: ReturnType<typeof useMoments>,
): string {
  if (closed !== null) return `${closed.by}, ${write(closed.at, 'shortDateTime')}`;
  if (status === 'open') return `Until ${formatDay(lastDay, 'short')}`;
  if (status === 'ready') return 'Everything checks';
  if (checked === null) return 'Months close in their order';
  return `${checked.done} of ${checked.all} done`;
}
