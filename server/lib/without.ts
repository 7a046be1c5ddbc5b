/** A copy of an object that lacks some of its properties. */
export function without<Whole extends object, Name extends keyof Whole & string>(
  whole: Whole,
  names: readonly Name[],
): Omit<Whole, Name> {
  const left: Partial<Whole> = {};
  for (const name of Object.keys(whole) as Name[]) {
    if (!names.includes(name)) left[name] = whole[name];
  }
  return left as Omit<Whole, Name>;
}
