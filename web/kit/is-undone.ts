/** Statuses of things whose money did not move in the end. */
const UNDONE = ['rejected', 'cancelled', 'returned'];

/** True if the money of a thing in this status did not move in the end: its amount is faded. */
export function isUndone(status: string): boolean {
  return UNDONE.includes(status);
}
