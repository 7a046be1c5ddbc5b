import { OPENAPI_PATH } from '#contract/paths.ts';

/** The server's own description of its API. As large as a picture: asked for where it is read. */
export async function fetchOpenApi(signal: AbortSignal): Promise<unknown> {
  const response = await fetch(OPENAPI_PATH, { signal });
  if (!response.ok) throw new Error(`The description of the API was refused (${response.status})`);
  return response.json();
}
