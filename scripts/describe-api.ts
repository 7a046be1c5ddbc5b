import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { Environment } from '#server/http/environment.ts';
import { describeOperation, openApiDocument } from '#server/http/openapi.ts';

/** The client that `npm run api:client` writes, and one of our tests uses. */
export const API_CLIENT_PATH = join(import.meta.dirname, '../test/api-client.ts');

const SERVER = 'https://pay.example.com';

/** The server's OpenAPI document, as JSON text, of the operations that an API key can reach. */
export function describeApi(): string {
  return describe(({ scope }) => scope !== null);
}

function describe(isDescribed: (spec: RouteSpec) => boolean): string {
  const app = new OpenAPIHono<Environment>();
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const spec: RouteSpec = ROUTES[name];
    if (isDescribed(spec)) describeOperation(app.openAPIRegistry, name, spec);
  }
  return JSON.stringify(openApiDocument(app, SERVER));
}

/** The first line of the client: changes with the description, and with any change by hand. */
export function sealClient(description: string, types: string): string {
  const hash = createHash('sha256').update(description).update(types).digest('hex');
  return `// Written by "npm run api:client". Of the description and of what follows: ${hash}\n`;
}

// `npm run -s api` prints the document of all operations, which a server in production shows to nobody else.
if (import.meta.main) process.stdout.write(`${describe(() => true)}\n`);
