import { AppError } from '#server/lib/errors.ts';
import { isPlace } from './list-order.ts';
import type { Order, Place } from './list-order.ts';

/** Wanted side of a place in the order: the rows after it or before it. */
export interface CursorRequest {
  side: 'after' | 'before';
  place: Place;
}

/** Cursor of the page on that side of a row. It is text for an address, and opaque. */
export function writeCursor({ side, place }: CursorRequest, orderName: string): string {
  return Buffer.from(JSON.stringify([orderName, side, ...place])).toString('base64url');
}

/**
 * @param orderName of the requested order: a place in another order means nothing here
 * @throws {AppError} `invalid_request` for text that is no cursor of this list in this order
 */
export function readCursor(text: string, order: Order, orderName: string): CursorRequest {
  const [name, side, ...place] = parse(text);
  const isSide = side === 'after' || side === 'before';
  if (name === orderName && isSide && isPlace(order, place)) return { side, place };
  const message = 'This page is gone. Begin at the first one.';
  throw new AppError('invalid_request', {}, [{ path: 'cursor', message }]);
}

function parse(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
