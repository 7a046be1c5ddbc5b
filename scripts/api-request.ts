import type { RouteInput, RouteName } from '#contract/api.ts';
import { PATHS } from '#contract/paths.ts';

interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
}

/** Method, path with its parameters, and the rest of the input of a call of the API by its name. */
export function apiRequest<Name extends RouteName>(name: Name, input: RouteInput<Name>) {
  const [method, template] = PATHS[name];
  const { params = {}, query = {}, body } = input as LooseInput;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  return { method, path, query, body };
}
