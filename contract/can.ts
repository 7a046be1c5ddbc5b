/** True if `action` is legal in `status`, by one of the transition tables. */
export function can<Action extends string, Status extends string>(
  table: Record<Action, readonly Status[]>,
  action: Action,
  status: Status,
): boolean {
  return table[action].includes(status);
}
