import { useEffect, useState } from 'react';
import { counted } from '#web/lib/format.ts';
import { useMoments } from '#web/ui/time.tsx';

const EASTERN = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  minute: '2-digit',
});

/** `1:45 PM ET`, as banks name their times. */
export function easternTime(at: string): string {
  return `${EASTERN.format(new Date(at)).replaceAll('\u202F', ' ')} ET`;
}

/** The time until which the bank takes a same-day file, counting down in this person's zone. */
export function TimeLeft({ until }: { until: string }) {
  const write = useMoments();
  const minutes = useMinutesLeft(until);
  if (minutes <= 0) return <>It has passed.</>;
  const left =
    minutes < 60
      ? counted(minutes, 'minute')
      : `${counted(Math.floor(minutes / 60), 'hour')} ${counted(minutes % 60, 'minute')}`;
  return (
    <>
      {left} left, until {write(until, 'time')} here
    </>
  );
}

function useMinutesLeft(until: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(until) - now) / 60_000);
}
