import { randomUUID } from 'node:crypto';
import { expect, request } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import type { RouteInput, RouteReply, RouteName } from '#contract/api.ts';
import { apiRequest } from '#scripts/api-request.ts';
import { BASE_URL } from './place.ts';

/** A person who asks the API directly, with cookies of their own. */
export function openApi(origin = BASE_URL): Promise<APIRequestContext> {
  return request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
}

/**
 * Calls an operation of the contract without the browser, to set a scene or to see what became of
 * it. Fails the test when the server refuses. Every call has an idempotency key of its own.
 */
export async function ask<Name extends RouteName>(
  api: APIRequestContext,
  name: Name,
  input: RouteInput<Name>,
): Promise<RouteReply<Name>> {
  const { method, path, query, body } = apiRequest(name, input);
  const reply = await api.fetch(path, {
    method,
    params: query,
    headers: { 'idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { data: body }),
  });
  expect(reply.ok(), `${name}: ${reply.status()} ${await reply.text()}`).toBe(true);
  return (await reply.json()) as RouteReply<Name>;
}
