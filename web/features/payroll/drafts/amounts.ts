import type { RouteReply } from '#contract/api.ts';
import { AMOUNT_PROBLEM, decimalAmount, readAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';

export type DraftPerson = RouteReply<'adminGetDraftPeople'>['people'][number];

/** Minor units of each person whose amount differs from what is saved; null: left out. */
export type Edits = ReadonlyMap<string, bigint | null>;

/** Amount of a person now, in minor units; null: left out. */
export function minorOf(person: DraftPerson, edits: Edits): bigint | null {
  const edited = edits.get(person.id);
  if (edited !== undefined) return edited;
  return person.amount === null ? null : BigInt(person.amount.minor);
}

/** The last payroll's amount, in minor units; null if it paid nothing. */
export function lastMinorOf({ last }: DraftPerson): bigint | null {
  return last === null ? null : BigInt(last.minor);
}

/** True if a person's amount is another than last time. */
export function isChanged(person: DraftPerson, edits: Edits): boolean {
  return minorOf(person, edits) !== lastMinorOf(person);
}

/**
 * True if a person has a breakdown of the payroll provider that is not of their amount, because somebody typed over it.
 * It does not go on the payslip. A person who is left out has no payslip.
 */
export function lacksBreakdown(person: DraftPerson, edits: Edits): boolean {
  const minor = minorOf(person, edits);
  const { breakdownNet } = person;
  return breakdownNet !== null && minor !== null && minor !== BigInt(breakdownNet.minor);
}

/** Sums of some people. */
export interface Sums {
  people: number;
  lastMinor: bigint;
  minor: bigint;
  /** People whose amount is another than last time, with those who are new or left out. */
  changed: number;
}

const NO_SUMS: Sums = { people: 0, lastMinor: 0n, minor: 0n, changed: 0 };

/** Sums of everyone who can be paid, and by department in the order in which departments appear. */
export function sumUp(
  people: readonly DraftPerson[],
  edits: Edits,
): { all: Sums; byDepartment: Map<DraftPerson['department'], Sums> } {
  const byDepartment = new Map<DraftPerson['department'], Sums>();
  let all = NO_SUMS;
  for (const person of people) {
    const sums = sumsOf(minorOf(person, edits), lastMinorOf(person));
    all = add(all, sums);
    const { department } = person;
    byDepartment.set(department, add(byDepartment.get(department) ?? NO_SUMS, sums));
  }
  return { all, byDepartment };
}

function sumsOf(minor: bigint | null, last: bigint | null): Sums {
  return {
    people: minor === null ? 0 : 1,
    lastMinor: last ?? 0n,
    minor: minor ?? 0n,
    changed: minor === last ? 0 : 1,
  };
}

function add(one: Sums, other: Sums): Sums {
  return {
    people: one.people + other.people,
    lastMinor: one.lastMinor + other.lastMinor,
    minor: one.minor + other.minor,
    changed: one.changed + other.changed,
  };
}

/** Text that an amount is edited as: "3,040.00". */
export function editedText(minor: bigint | null): string {
  return minor === null ? '' : groupAmount(decimalAmount(minor));
}

/** Result of what was typed or pasted into a cell: an amount, nothing, or why it is neither. */
export function readCell(
  text: string,
  currency: Currency,
): { minor: bigint | null } | { problem: string } {
  const typed = text.trim();
  if (typed === '' || typed === '-' || typed === '\u2013') return { minor: null };
  const minor = readAmount(typed, currency);
  return minor === null ? { problem: AMOUNT_PROBLEM } : { minor };
}

/**
 * Cells of what was copied in a spreadsheet: one column of amounts, or two of employee IDs and amounts. Of more columns
 * nobody can say which one is paid: they are one text, which is no amount. Null for text that is one cell.
 */
export function readPaste(text: string): { id?: string; amount: string }[] | null {
  const rows = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const cells = rows.map((row) => row.split('\t'));
  const columns = cells[0]?.length ?? 0;
  if (rows.length < 2 && columns < 2) return null;
  return cells.map(([first = '', ...others]) => {
    if (others.length === 0) return { amount: first };
    const amounts = others.filter((cell, at) => at === 0 || cell.trim() !== '');
    return { id: first.trim(), amount: amounts.join(' | ') };
  });
}

/** Cells of a paste, each with its person, and the number of those that are nobody's or name somebody twice. */
export interface PlacedPaste {
  cells: { id: string; text: string }[];
  unknown: number;
  twice: number;
}

/**
 * Finds the people of pasted cells: by their employee ID, in whatever case, or by their place among those who are shown.
 * If two rows name one person, neither is taken, because one of them may be a mistake.
 *
 * @param people.index place of the cell in which the paste began
 */
export function placePaste(
  pasted: readonly { id?: string; amount: string }[],
  people: { shown: readonly DraftPerson[]; everyone: readonly DraftPerson[]; index: number },
): PlacedPaste {
  const idOf = (written: string) => written.trim().toUpperCase();
  const byId = new Map(
    people.everyone.flatMap((person) =>
      person.employeeId === null ? [] : [[idOf(person.employeeId), person] as const],
    ),
  );
  const found = pasted.flatMap(({ id, amount }, offset) => {
    const person = id === undefined ? people.shown[people.index + offset] : byId.get(idOf(id));
    return person === undefined ? [] : [{ id: person.id, text: amount }];
  });
  const counts = Map.groupBy(found, ({ id }) => id);
  const cells = found.filter(({ id }) => counts.get(id)?.length === 1);
  return { cells, unknown: pasted.length - found.length, twice: found.length - cells.length };
}
