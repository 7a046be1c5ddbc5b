import type { ReactNode } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Time } from '#web/ui/time.tsx';

interface PromiseProps {
  number: number;
  title: string;
  /** Meaning of the promise, in a sentence or two. */
  children: ReactNode;
  /** Consequence for the reader where it is not kept, or not known. */
  caution?: ReactNode;
  status: StatusName;
  /** Result of the last check. */
  label: string;
  /** Time of the last check; null before the first. */
  checkedAt: string | null;
}

/** A promise of the books, with what it means and its last check. */
export function Promised({
  number,
  title,
  children,
  caution,
  status,
  label,
  checkedAt,
}: PromiseProps) {
  return (
    <section className="promise">
      <span className="promise__number" aria-hidden="true">
        {number}
      </span>
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
        {caution !== undefined && <Notice tone="caution">{caution}</Notice>}
        <div className="promise__last">
          <Status status={status} label={label} />
          <span>
            {checkedAt === null ? (
              'Not checked yet'
            ) : (
              <>
                Checked <Time at={checkedAt} as="shortDateTime" />
              </>
            )}
          </span>
        </div>
      </div>
    </section>
  );
}
