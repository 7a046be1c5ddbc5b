import { randomUUID } from 'node:crypto';
import { PATHS } from '#contract/paths.ts';
import type { RouteName } from '#contract/paths.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';

/** Every operation of the contract, for tests that ask each of them. */
export const OPERATIONS = (Object.keys(PATHS) as RouteName[]).map((name) => {
  const [method, path] = PATHS[name];
  const spec: RouteSpec = ROUTES[name];
  return { name, method, path, spec };
});

/** A path with each `{name}` filled. */
export function pathWith(path: string, value: string = randomUUID()): string {
  return path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));
}
