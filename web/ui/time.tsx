import { useCallback } from 'react';
import { formatMoment, type Calendar, type Moment, type MomentLook } from '#web/lib/format.ts';
import { useZones } from '#web/lib/zones.ts';

interface TimeProps {
  /** Time as the server sends it. */
  at: string;
  /** `shortDateTime` is "Dec 8, 10:03 AM". */
  as: MomentLook;
  /** `company` for days and times of pay and money, which the company's calendar decides. */
  by?: Calendar | undefined;
  className?: string | undefined;
}

/** A moment, in the person's time zone unless the company decides it. */
export function Time({ at, as, by, className }: TimeProps) {
  const zones = useZones();
  return (
    <time className={className} dateTime={at}>
      {formatMoment(at, as, zones, by)}
    </time>
  );
}

/** Formats moments as {@link Time} does, for names and sentences. */
export function useMoments(): (at: Moment, look: MomentLook, by?: Calendar) => string {
  const zones = useZones();
  return useCallback((at, look, by) => formatMoment(at, look, zones, by), [zones]);
}
