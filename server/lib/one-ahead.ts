/**
 * The results of `make` for the items, in order. While the caller uses one, the next is made. An error is thrown in the
 * place of its result.
 */
export async function* oneAhead<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  let before: Promise<Made> | undefined;
  for (const item of items) {
    const made = make(item);
    // A caller who stops early does not await it.
    made.catch(() => undefined);
    if (before !== undefined) yield await before;
    before = made;
  }
  if (before !== undefined) yield await before;
}

/** The values of a generator, in order. While the caller uses one, the next is made. */
export async function* readAhead<Made>(
  source: AsyncGenerator<Made, void>,
): AsyncGenerator<Made, void> {
  const take = () => {
    const next = source.next();
    // A caller who stops early does not await it.
    next.catch(() => undefined);
    return next;
  };
  let next = take();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one value after another
    const { value, done } = await next;
    if (done === true) return;
    next = take();
    yield value;
  }
}
