/** Writes `2026-12-21` as `Dec 21, 2026`. */
export function writeDay(day: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
