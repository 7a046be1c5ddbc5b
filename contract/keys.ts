type KeyOf<Of> = keyof Of & string;

/** Keys of a table, in their order, as the list that `z.enum` takes. */
export function keysOf<Of extends object>(table: Of): [KeyOf<Of>, ...KeyOf<Of>[]] {
  return Object.keys(table) as [KeyOf<Of>, ...KeyOf<Of>[]];
}
