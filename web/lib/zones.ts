import { createContext, useContext, useMemo, useState } from 'react';
import { zoneName } from '#contract/time-zones.ts';
import { useCompany } from './company.ts';
import { formatMoment, type Zones } from './format.ts';

/** IANA time zone of the person's device; null if it is not known, and the company's is used. */
export const ZoneContext = createContext<string | null>(null);

/** The time zones of the person and of the company. */
export function useZones(): Zones {
  const { timeZone: company } = useCompany();
  const own = useContext(ZoneContext) ?? company;
  return useMemo(() => ({ own, company }), [own, company]);
}

/** "EST": the company's zone where its clock differs from the person's now; null where both have one time. */
export function useCompanyZone(): string | null {
  const zones = useZones();
  const [now] = useState(Date.now);
  const own = formatMoment(now, 'dateTime', zones);
  return own === formatMoment(now, 'dateTime', zones, 'company')
    ? null
    : zoneName(new Date(now), zones.company);
}

/** The time zone that this device is set to; null where the browser does not say. */
export function deviceZone(): string | null {
  return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** A name of a time zone that dates can be written in; null for anything else. */
export function knownZone(name: string | undefined): string | null {
  if (name === undefined || name === '') return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
