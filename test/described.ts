import { codesOf } from '#server/http/openapi.ts';
import { OPERATIONS } from './operations.ts';

const DESCRIBED = OPERATIONS.map(({ name, method, path, spec }) => ({
  name,
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  status: spec.status,
  codes: codesOf(method, spec),
}));

/**
 * Holds every reply that a test gets against what the API's description says of the operation: its
 * status, and for a refusal its code.
 *
 * @throws where the description is silent about it
 */
export async function expectDescribed(
  method: string,
  address: string,
  response: Response,
): Promise<void> {
  const path = new URL(address, 'http://localhost').pathname;
  const asked = DESCRIBED.filter((one) => one.method === method && one.pattern.test(path));
  const operation = asked.find((one) => one.path === path) ?? asked[0];
  if (operation === undefined || response.status === operation.status) return;
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  const { code } = isProblem ? ((await response.clone().json()) as { code: string }) : { code: '' };
  if ([...operation.codes].some((known) => known === code)) return;
  throw new Error(
    `${operation.name} answered ${response.status} ${code}, which its description does not name`,
  );
}
