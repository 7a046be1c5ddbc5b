/** Files that name people: how they are read, whose rows they are, and which columns somebody chose before. */
export { matchPeople } from './match-people.ts';
export type { NamedRow } from './match-people.ts';
export { fileNameOf, MappedSheet, readSheet, readSheetOf } from './mapped-sheet.ts';
export type { Sheet } from './mapped-sheet.ts';
export { recallColumns, rememberColumns } from './remembered-columns.ts';
