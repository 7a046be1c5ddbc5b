/** Importing employees from a CSV file: what its columns may be called and how large it may be. */
import { emailRule } from './email.ts';
import { positionRule, fullNameRule } from './people.ts';
import { DEPARTMENT_IDS, DEPARTMENTS } from './company.ts';
import type { Department } from './company.ts';
import { findColumns, findOnlyColumns, rivalsOf } from './file-columns.ts';
import { problemOf } from './rules.ts';
import type { IMPORT_ROW_STATUSES } from './statuses.ts';
import { keysOf } from './keys.ts';

/** Greatest size of the file. 100,000 people take some 7 MB. */
export const IMPORT_MAX_BYTES = 25_000_000;
export const IMPORT_MAX_ROWS = 100_000;
/** Lines of the file, with those that name nobody: a sheet of Excel has as many. */
export const IMPORT_MAX_LINES = 1_048_576;
/** More columns than any list of people has; those past it are left out. */
export const IMPORT_MAX_COLUMNS = 60;

/**
 * Statuses of an import: its file is being read; it was checked and can be confirmed; its people are
 * being added; it is finished. One that is not confirmed can be discarded, and is then deleted.
 */
export const IMPORT_STATUSES = ['reading', 'checked', 'importing', 'finished'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export type ImportAction = 'match' | 'confirm' | 'discard' | 'run';

export const importCan = {
  match: ['checked'],
  confirm: ['checked'],
  discard: ['checked'],
  run: ['importing'],
} as const satisfies Record<ImportAction, readonly ImportStatus[]>;

export type ImportRowStatus = (typeof IMPORT_ROW_STATUSES)[number];

/** Fields of a person that a file may have. */
export const IMPORT_COLUMNS = {
  fullName: {
    label: 'Full Name',
    isRequired: true,
    names: [
      'full name',
      'fullname',
      'name',
      'employee',
      'employee name',
      'first name',
      'firstname',
      'given name',
      'forename',
      'first',
    ],
  },
  lastName: {
    label: 'Last Name',
    isRequired: false,
    names: ['last name', 'lastname', 'surname', 'family name', 'last'],
  },
  email: {
    label: 'Email',
    isRequired: true,
    names: [
      'email',
      'e-mail',
      'email address',
      'e-mail address',
      'work email',
      'work e-mail',
      'mail',
    ],
  },
  department: {
    label: 'Department',
    isRequired: true,
    names: ['department', 'dept', 'dept.', 'team'],
  },
  position: {
    label: 'Position',
    isRequired: false,
    names: ['position', 'job title', 'title', 'role'],
  },
} as const;
export type ImportColumn = keyof typeof IMPORT_COLUMNS;
export const IMPORT_COLUMN_IDS = keysOf(IMPORT_COLUMNS);

/** Column of the file for each field, counted from 0; null where the file has none. */
export type ImportMapping = Record<ImportColumn, number | null>;

/** The mapping that the names of a file's columns say by themselves; null for a field that several columns name. */
export function guessMapping(header: readonly string[]): ImportMapping {
  return findOnlyColumns(header, IMPORT_COLUMNS);
}

/** Fields that several columns of the file name, each with these columns in words: "“Email” and “Work Email”". */
export function rivalsIn(header: readonly string[]): Partial<Record<ImportColumn, string>> {
  return rivalsOf(header, IMPORT_COLUMNS);
}

/** Error in one column of a row. */
export interface ImportProblem {
  column: ImportColumn;
  message: string;
}

/** A person as a row of the file names them: cleaned, and as far as they could be read. */
export interface ImportedPerson {
  fullName: string;
  email: string;
  /** As it is in the file; in the words of the screen where it is one of ours. */
  department: string;
  position: string;
}

/** True if a line of a file names its columns: at least the names and the addresses are among them. */
export function isImportHeader(cells: readonly string[]): boolean {
  const { fullName, email } = findColumns(cells, IMPORT_COLUMNS);
  return fullName !== null && email !== null;
}

/** True if a line sums up the lines above it and names nobody: "Total,,25". */
export function isTotalRow(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '') ?? '';
  return (
    /^(?:grand |sub)?totals?\b/i.test(first.trim()) && !cells.some((cell) => cell.includes('@'))
  );
}

/** Columns of a file: their number, and what each of them is. */
export interface ImportColumns {
  columnCount: number;
  mapping: ImportMapping;
  /** Columns of which somebody has to choose one, as `rivalsIn`: no row is read without it. */
  rivals?: Partial<Record<ImportColumn, string>>;
}

/** Error of a row that has a cell behind the last column, as "Doe, John" without quotes makes one. */
const BEHIND_LAST =
  'The row has more cells than the file has columns. Put quotes around a text with a comma in it.';

/** Reads a row by its mapping and says what is wrong with it. */
export function checkImportRow(
  cells: readonly string[],
  { columnCount, mapping, rivals = {} }: ImportColumns,
): { person: ImportedPerson; problems: ImportProblem[] } {
  const typed = (column: ImportColumn) => {
    const index = mapping[column];
    return index === null ? '' : (cells[index] ?? '');
  };
  const department = readDepartment(typed('department'));
  const person = {
    fullName: fullNameRule.clean(`${typed('fullName')} ${typed('lastName')}`),
    email: emailRule.clean(typed('email')),
    department: department === undefined ? typed('department').trim() : DEPARTMENTS[department],
    position: positionRule.clean(typed('position')),
  };
  const problems: ImportProblem[] = [];
  const add = (column: ImportColumn, message: string | undefined) => {
    if (message !== undefined) problems.push({ column, message });
  };
  for (const column of keysOf(rivals)) {
    add(column, `${rivals[column]} could both be it. Choose one with Match Columns.`);
  }
  for (const column of ['fullName', 'email'] as const) {
    if (rivals[column] !== undefined) continue;
    const rule = column === 'email' ? emailRule : fullNameRule;
    add(
      column,
      person[column] === ''
        ? `${IMPORT_COLUMNS[column].label} is empty`
        : problemOf(rule, person[column]),
    );
  }
  if (person.department === '') {
    if (rivals.department === undefined) add('department', 'Department is empty');
  } else if (department === undefined) add('department', departmentProblem(person.department));
  if (person.position !== '') add('position', problemOf(positionRule, person.position));
  if (cells.slice(columnCount).some((cell) => cell.trim() !== ''))
    add(lastOf(mapping), BEHIND_LAST);
  return { person, problems };
}

/** The field whose column is the last one. */
function lastOf(mapping: ImportMapping): ImportColumn {
  return (
    IMPORT_COLUMN_IDS.toSorted((one, other) => (mapping[other] ?? -1) - (mapping[one] ?? -1))[0] ??
    'fullName'
  );
}

/** Names that other systems have for our departments. */
const OTHER_NAMES: Partial<Record<Department, readonly string[]>> = {
  hr: ['human resources', 'human resource', 'people operations'],
  'customer-support': ['support', 'customer service'],
  engineering: ['software engineering'],
  finance: ['accounting', 'finance and accounting', 'finance & accounting'],
};

/** A department by its id, its words or another common name; undefined for any other text. */
export function readDepartment(typed: string): Department | undefined {
  const wanted = plain(typed);
  return DEPARTMENT_IDS.find(
    (id) =>
      plain(id) === wanted ||
      plain(DEPARTMENTS[id]) === wanted ||
      OTHER_NAMES[id]?.includes(wanted) === true,
  );
}

function departmentProblem(typed: string): string {
  const near = DEPARTMENT_IDS.find((id) =>
    plain(DEPARTMENTS[id])
      .split(' ')
      .some((word) => isNear(word, plain(typed))),
  );
  return near === undefined
    ? 'Not a department'
    : `Not a department. Did you mean ${DEPARTMENTS[near]}?`;
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
}

/** True if one word becomes the other by one letter more, less or other, or begins the other. */
function isNear(word: string, typed: string): boolean {
  if (typed.length < 3) return false;
  if (word.startsWith(typed)) return true;
  const [short, long] = word.length < typed.length ? [word, typed] : [typed, word];
  if (short.length < 3 || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = short.length === long.length ? short.slice(same + 1) : short.slice(same);
  return rest === long.slice(same + 1);
}
