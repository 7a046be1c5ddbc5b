/**
 * What a person is called in full. The database keeps it (`app_user.name`) from the moment the person
 * is added, and neither it nor its parts change once the person is accepted or their address is
 * confirmed: SQL reads that column and joins no names.
 */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}
