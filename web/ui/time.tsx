import { useCallback } from 'react';
import { formatMoment, type Calendar, type Moment, type MomentLook } from '#web/lib/format.ts';
import { useZones } from '#web/lib/zones.ts';

interface TimeProps {
  /** As the server sends it. */
  at: string;
  /** `shortDateTime` is "Dec 8, 10:03 AM". */
  as: MomentLook;
  /** `company` for a day or time that the company's calendar decides: of pay and of money. */
  by?: Calendar | undefined;
  className?: string | undefined;
}

/** A moment, in the person's own time zone unless the company decides it. */
export function Time({ at, as, by, className }: TimeProps) {
  const zones = useZones();
  return (
    <time className={className} dateTime={at}>
      {formatMoment(at, as, zones, by)}
    </time>
  );
}

/** Writes moments as {@link Time} does, for names and sentences. */
export function useMoments(): (at: Moment, look: MomentLook, by?: Calendar) => string {
  const zones = useZones();
  return useCallback((at, look, by) => formatMoment(at, look, zones, by), [zones]);
}
