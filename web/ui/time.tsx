import { useCallback } from 'react';
import { useCompany } from '#web/lib/company.ts';
import { formatMoment, type Moment, type MomentLook } from '#web/lib/format.ts';

interface TimeProps {
  /** As the server sends it. */
  at: string;
  /** `shortDateTime` is "Dec 8, 10:03 AM". */
  as: MomentLook;
  className?: string | undefined;
}

/** A moment, in the company's time zone. */
export function Time({ at, as, className }: TimeProps) {
  const { timeZone } = useCompany();
  return (
    <time className={className} dateTime={at}>
      {formatMoment(at, as, timeZone)}
    </time>
  );
}

/** Writes moments in the company's time zone, for names and sentences. */
export function useMoments(): (at: Moment, look: MomentLook) => string {
  const { timeZone } = useCompany();
  return useCallback((at, look) => formatMoment(at, look, timeZone), [timeZone]);
}
