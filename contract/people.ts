import { NAME_MAX_LENGTH } from './limits.ts';
import type { PersonName } from './person-name.ts';
import { line, nameLine, nameText } from './rules.ts';
import type { TextRule } from './rules.ts';
import { person } from './things/person.ts';
import { legalIn } from './things/thing.ts';

/** Standings in which each act on a person is legal. */
export const personCan = legalIn(person);
export type PersonAct = keyof typeof personCan;

const wholeName = nameLine(2 * NAME_MAX_LENGTH + 1, 'Enter the full name');

/** Words after a comma that belong to the name before it: "Jane Roe, Jr." */
const NAME_SUFFIX = /^(?:jr|sr|i{2,3}|iv|esq|ph\.?d|m\.?d|cpa|mba|rn)\.?$/i;

/** Hint under a name that may be a single one. */
export const SINGLE_NAME_HINT = 'Leave empty if there is only one name.';

/**
 * A whole name in one field. The text after the first space is the last name; a single name has none.
 * "Last, First" is turned round.
 */
export const fullNameRule: TextRule = {
  clean: (typed) => {
    const text = nameText(typed);
    return text.length > wholeName.maxLength ? text : inOrder(text);
  },
  maxLength: wholeName.maxLength,
  problem: (text) => {
    const problem = wholeName.problem(text);
    if (problem !== undefined) return problem;
    const { firstName, lastName } = splitName(text);
    return Math.max(firstName.length, lastName.length) > NAME_MAX_LENGTH
      ? `Use at most ${NAME_MAX_LENGTH} characters for each name`
      : undefined;
  },
};

/** "Silva, Ana" is "Ana Silva", and "Suharto," or "Suharto -" is "Suharto". */
function inOrder(typed: string): string {
  const name = typed.replaceAll(/^[,\s]+|(?:[,\s]+|\s[.\p{Pd}]+)$/gu, '');
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim());
  if (last === '' || first === '' || more.length > 0 || NAME_SUFFIX.test(first)) return name;
  return `${first} ${last}`;
}

/** "Anneke de Vries" is Anneke, de Vries. */
export function splitName(fullName: string): PersonName {
  const [firstName = '', ...rest] = fullName.split(' ');
  return { firstName, lastName: rest.join(' ') };
}

/** Position of a person in the company: "Support Specialist". */
export const positionRule: TextRule = line(NAME_MAX_LENGTH, 'Enter the position');

/** People who may sign up: anybody, those with an address of the company's domains, nobody. */
export const JOIN_POLICIES = ['anybody', 'domains', 'added'] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];

/** More domains than any company has. */
export const MOST_JOIN_DOMAINS = 50;
