import { firstView, readAddress } from '#contract/list.ts';
import type { AddressOf, ListDeclaration } from '#contract/list.ts';

/** What a screen's address says besides its path. */
export interface SearchDeclaration {
  /** Its lists, by what their words begin with; '' for the one list of a screen. */
  readonly lists?: Readonly<Record<string, ListDeclaration>>;
  /** Words of its own, such as what is open: text, or absent. */
  readonly texts?: readonly string[];
}

type Prefixed<Prefix, Name extends string> = Prefix extends ''
  ? Name
  : `${Prefix & string}${Capitalize<Name>}`;

type PrefixedAddress<Prefix, List extends ListDeclaration> = {
  [Name in keyof AddressOf<List> & string as Prefixed<Prefix, Name>]: AddressOf<List>[Name];
};

type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  part: infer Intersection,
) => void
  ? Intersection
  : never;

type ListSearch<Lists> = Together<
  {
    [Prefix in keyof Lists]: Lists[Prefix] extends ListDeclaration
      ? PrefixedAddress<Prefix, Lists[Prefix]>
      : never;
  }[keyof Lists]
>;

/** The search of a screen once it is read: its lists whole, with their defaults. */
export type SearchOf<Declaration extends SearchDeclaration> = (Declaration extends {
  lists: infer Lists;
}
  ? ListSearch<Lists>
  : object) &
  (Declaration extends { texts: readonly (infer Name extends string)[] }
    ? Partial<Record<Name, string>>
    : object);

type Words = Readonly<Record<string, unknown>>;

/** The name that a word of a list has in the address: `linesPage` for the `page` of `lines`. */
function wordOf(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The words of one of the lists, under the names of its declaration. */
export function readListAddress<List extends ListDeclaration>(
  list: List,
  prefix: string,
  search: Words,
): AddressOf<List> {
  const names = Object.keys(firstView(list));
  return readAddress(
    list,
    Object.fromEntries(names.map((name) => [name, search[wordOf(prefix, name)]])),
  );
}

/** The same for an address: under the names that they have in it. */
export function writeListAddress(prefix: string, changes: Words): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [wordOf(prefix, name), value]),
  );
}

/** Reads an address as the screen has declared it; what it does not know is left out. */
export function readSearch<Declaration extends SearchDeclaration>(
  { lists = {}, texts = [] }: Declaration,
  search: Words,
): SearchOf<Declaration> {
  const read: Record<string, unknown> = {};
  for (const [prefix, list] of Object.entries(lists)) {
    Object.assign(read, writeListAddress(prefix, readListAddress(list, prefix, search)));
  }
  for (const name of texts) {
    const value = search[name];
    if (typeof value === 'string' || typeof value === 'number') read[name] = String(value);
  }
  return read as SearchOf<Declaration>;
}

/** What need not stand in an address, because it is what a screen shows first. */
export function defaultSearch(declaration: SearchDeclaration): Record<string, unknown> {
  return readSearch(declaration, {}) as Record<string, unknown>;
}
