/** A copy of an object that lacks some of its properties. */
export function without<Whole extends object, Name extends keyof Whole & string>(
  whole: Whole,
  names: readonly Name[],
): Omit<Whole, Name> {
  const left = Object.entries(whole).filter(([name]) => !names.some((each) => each === name));
  return Object.fromEntries(left) as Omit<Whole, Name>;
}
