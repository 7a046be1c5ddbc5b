/** One page of a list, and whether another follows; how many there are in all is counted apart. */
export interface Page<Row> {
  items: Row[];
  /** From 1. */
  page: number;
  pageSize: number;
  hasMore: boolean;
}

/** Which page is asked for. */
export interface Asked {
  /** From 1. */
  page: number;
  pageSize: number;
}

/** Reads at most `limit` rows of a list after its first `offset`, in the list's order. */
export type ReadRows<Row> = (offset: number, limit: number) => Promise<Row[]>;

/** One ordered part of a list. */
export interface ListPart<Row> {
  count(): Promise<number>;
  rows: ReadRows<Row>;
}

/** One page of a list that one index has in its order. Reads one row more to see whether more follows. */
export async function pageOf<Row>(
  rows: ReadRows<Row>,
  { page, pageSize }: Asked,
): Promise<Page<Row>> {
  return asPage(await rows((page - 1) * pageSize, pageSize + 1), { page, pageSize });
}

/**
 * One page of a list that is several parts laid end to end (what waits, oldest first; then the
 * rest, newest first). Each part is read by its own index, which one ORDER BY over both could not.
 * A part is counted only when the page lies beyond it.
 */
export async function pageAcross<Row>(
  parts: readonly ListPart<Row>[],
  { page, pageSize }: Asked,
): Promise<Page<Row>> {
  const wanted = pageSize + 1;
  const found: Row[] = [];
  let offset = (page - 1) * pageSize;
  for (const [index, part] of parts.entries()) {
    const rows = await part.rows(offset, wanted - found.length);
    found.push(...rows);
    if (found.length === wanted || index === parts.length - 1) break;
    const isPassed = rows.length === 0 && offset > 0;
    offset = isPassed ? Math.max(0, offset - (await part.count())) : 0;
  }
  return asPage(found, { page, pageSize });
}

/** How many rows the parts have together. */
export async function countAcross(
  parts: readonly Pick<ListPart<unknown>, 'count'>[],
): Promise<{ total: number }> {
  return { total: await addUp(parts, (part) => part.count()) };
}

/** The counts of pieces that share no row, together. */
export async function addUp<Piece>(
  pieces: readonly Piece[],
  count: (piece: Piece) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const piece of pieces) total += await count(piece);
  return total;
}

/** The rows in the order of their ids; what is gone since the ids were read is left out. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function asPage<Row>(rows: Row[], { page, pageSize }: Asked): Page<Row> {
  return { items: rows.slice(0, pageSize), page, pageSize, hasMore: rows.length > pageSize };
}
