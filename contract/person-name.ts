import { NAME_MAX_LENGTH } from './limits.ts';
import { nameLine, nameText } from './rules.ts';
import type { TextRule } from './rules.ts';

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

/** The rules of a name in two fields. Of a single name the last one is left empty. */
export const nameRules = {
  firstName: nameLine(NAME_MAX_LENGTH, 'Enter the first name'),
  lastName: {
    // A dash or dots are typed where a form asks for a last name and there is none.
    clean: (typed) => (/^[\s.\p{Pd}]*$/u.test(typed) ? '' : nameText(typed)),
    maxLength: NAME_MAX_LENGTH,
    problem: (text) => (text === '' ? undefined : nameLine(NAME_MAX_LENGTH).problem(text)),
  },
} satisfies Record<string, TextRule>;
