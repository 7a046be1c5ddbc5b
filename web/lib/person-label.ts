/** `Maya Castellanos (EMP0001)`: a person in a sentence; without a number the name alone. */
export function personLabel({
  name,
  employeeId,
}: {
  name: string;
  employeeId: string | null;
}): string {
  return employeeId === null ? name : `${name} (${employeeId})`;
}
