/** A person's name in two parts. A single name is the first name; the last name is then empty. */
export interface PersonName {
  firstName: string;
  lastName: string;
}

/**
 * A person's full name. The database keeps it (`app_user.name`) together with its parts: SQL reads that
 * column and joins no names. Of a person who was accepted, or whose address is confirmed, all three
 * change only by a correction of an administrator.
 */
export function fullName({ firstName, lastName }: PersonName): string {
  return lastName === '' ? firstName : `${firstName} ${lastName}`;
}
