import { firstView, readAddress } from '#contract/list.ts';
import type { ListDeclaration } from '#contract/api.ts';
import type { AddressOf } from '#contract/list.ts';

/** Search parameters of a screen's address. */
export interface SearchDeclaration {
  /** Lists of the screen, by the prefix of their parameters. '' for a single list. */
  readonly lists?: Readonly<Record<string, ListDeclaration>>;
  /** Text parameters of the screen, such as the open item. They may be absent. */
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

/** Parsed search of a screen, with all values of its lists, including defaults. */
export type SearchOf<Declaration extends SearchDeclaration> = (Declaration extends {
  lists: infer Lists;
}
  ? ListSearch<Lists>
  : object) &
  (Declaration extends { texts: readonly (infer Name extends string)[] }
    ? Partial<Record<Name, string>>
    : object);

type Words = Readonly<Record<string, unknown>>;

/** Name of a list's parameter in the address: `linesPage` for the `page` of `lines`. */
function wordOf(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Parameters of one list, under their declared names. */
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

/** Parameters of one list, under their names in the address. */
export function writeListAddress(prefix: string, changes: Words): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [wordOf(prefix, name), value]),
  );
}

/** Parses an address by the screen's declaration. Unknown parameters are left out. */
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

/** Default values, which an address leaves out. */
export function defaultSearch(declaration: SearchDeclaration): Record<string, unknown> {
  return readSearch(declaration, {}) as Record<string, unknown>;
}
