import { randomUUID } from 'node:crypto';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';

/** Every operation of the contract, for tests that ask each of them. */
export const OPERATIONS = (Object.entries(ROUTES) as [RouteName, RouteSpec][]).map(
  ([name, spec]) => ({ name, method: spec.method, path: spec.path, spec }),
);

/** A path with each `{name}` filled. */
export function pathWith(path: string, value: string = randomUUID()): string {
  return path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));
}
