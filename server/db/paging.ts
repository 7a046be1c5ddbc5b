/** One page of a list, and if another follows. The total is counted separately. */
export interface Page<Row> {
  items: Row[];
  /** From 1. */
  page: number;
  pageSize: number;
  hasMore: boolean;
}

/** Requested page. */
export interface PageRequest {
  /** From 1. */
  page: number;
  pageSize: number;
}

/** Reads at most `limit` rows of a list after its first `offset`, in the list's order. */
export type ReadRows<Row> = (offset: number, limit: number) => Promise<Row[]>;

/** One ordered segment of a list. */
export interface PagedSegment<Row> {
  count(): Promise<number>;
  rows: ReadRows<Row>;
}

/** One page of a list that one index has in its order. Reads one row more to see if more follow. */
export async function pageOf<Row>(
  rows: ReadRows<Row>,
  { page, pageSize }: PageRequest,
): Promise<Page<Row>> {
  return asPage(await rows((page - 1) * pageSize, pageSize + 1), { page, pageSize });
}

/**
 * One page of a list of several concatenated segments (waiting rows, oldest first; then the rest,
 * newest first). Each segment is read by its own index, which one ORDER BY over both could not use.
 * A segment is counted only when the page is beyond it.
 */
export async function pageAcross<Row>(
  segments: readonly PagedSegment<Row>[],
  { page, pageSize }: PageRequest,
): Promise<Page<Row>> {
  const wanted = pageSize + 1;
  const found: Row[] = [];
  let offset = (page - 1) * pageSize;
  for (const [index, segment] of segments.entries()) {
    const rows = await segment.rows(offset, wanted - found.length);
    found.push(...rows);
    if (found.length === wanted || index === segments.length - 1) break;
    const isPassed = rows.length === 0 && offset > 0;
    offset = isPassed ? Math.max(0, offset - (await segment.count())) : 0;
  }
  return asPage(found, { page, pageSize });
}

/** The rows in the order of their ids, without rows that were deleted after the ids were read. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function asPage<Row>(rows: Row[], { page, pageSize }: PageRequest): Page<Row> {
  return { items: rows.slice(0, pageSize), page, pageSize, hasMore: rows.length > pageSize };
}
