import type { RouteName } from './api.ts';
import { ADDRESSES, MADE_OPERATIONS } from './operations.ts';
import type { Address, Method, Path } from './routes/define.ts';
import { unpackOperations } from './things/operations.ts';

const made = MADE_OPERATIONS.flatMap(unpackOperations);

/**
 * Method and path of every operation, for the browser, which must not load the schemas of routes/: it has the
 * addresses from there by a generated file.
 */
export const PATHS = Object.fromEntries([
  ...Object.entries<Address>(ADDRESSES).map(([name, address]) => [name, address.split(' ')]),
  ...made.map(({ name, address }) => [name, address.split(' ')]),
]) as unknown as Readonly<Record<RouteName, readonly [method: Method, path: Path]>>;

/** The live stream of what changed (text/event-stream); not a JSON operation. */
export const EVENTS_PATH = '/api/events';

/** The longest time before a live stream is opened of which it reports the changes, in milliseconds. */
export const MAX_SINCE_MS = 60_000;
export const OPENAPI_PATH = '/api/openapi.json';
