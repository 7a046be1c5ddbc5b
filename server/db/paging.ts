/** One ordered part of a list. */
export interface ListPart<Row> {
  count(): Promise<number>;
  rows(offset: number, limit: number): Promise<Row[]>;
}

/**
 * One page of a list that is several parts laid end to end (what waits, oldest first; then the
 * rest, newest first). Each part is read by its own index, which one ORDER BY over both could not.
 */
export async function pageAcross<Row>(
  parts: readonly ListPart<Row>[],
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  let total = 0;
  let offset = (page - 1) * pageSize;
  for (const part of parts) {
    const count = await part.count();
    const missing = pageSize - rows.length;
    if (missing > 0 && offset < count) rows.push(...(await part.rows(offset, missing)));
    offset = Math.max(0, offset - count);
    total += count;
  }
  return { rows, total };
}
