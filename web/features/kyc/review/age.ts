const HOURS_A_DAY = 24;

/** "under an hour", "5 hours", "3 days": how long something has waited. */
export function waitingWords(hours: number): string {
  if (hours < 1) return 'under an hour';
  if (hours < HOURS_A_DAY) return `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  const days = Math.floor(hours / HOURS_A_DAY);
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
