import { AppError } from '#server/lib/errors.ts';
import { isPlace } from './list-order.ts';
import type { Order, Place } from './list-order.ts';

/** Which rows are wanted: those after a place in the order, or those before it. */
export interface CursorRequest {
  side: 'after' | 'before';
  place: Place;
}

/** The cursor of the page that lies on that side of a row. It is text for an address, and opaque. */
export function writeCursor({ side, place }: CursorRequest, orderName: string): string {
  return Buffer.from(JSON.stringify([orderName, side, ...place])).toString('base64url');
}

/**
 * @param orderName of the order the list is asked for in: a place in another one means nothing here
 * @throws {AppError} `invalid_request` for what is no cursor of this list in this order
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
