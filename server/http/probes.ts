import { timingSafeEqual } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { LIMITS } from '#server/lib/limits.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { succeedsWithin } from '#server/lib/succeeds-within.ts';
import type { Environment } from './environment.ts';

/** What has to hold before requests are sent here; each answers whether it does. */
export type ReadinessChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

export interface ProbeOptions {
  checks: ReadinessChecks;
  metrics: Metrics;
  /** Lets `Authorization: Bearer` read /metrics; null: nobody may. */
  metricsToken: string | null;
}

/**
 * - /healthz: the process is up and answers.
 * - /readyz: it can do its work; 503 names what is missing, for load balancers.
 * - /metrics: Prometheus text, for who has the token; to others it does not exist. Who is near is not
 *   asked: a proxy on this machine is near for everybody behind it.
 */
export function mountProbes(app: OpenAPIHono<Environment>, options: ProbeOptions): void {
  app.get('/healthz', (c) => {
    c.set('route', 'healthz');
    return c.json({ status: 'ok' });
  });

  app.get('/readyz', async (c) => {
    c.set('route', 'readyz');
    const results = await Promise.all(
      Object.entries(options.checks).map(
        async ([name, check]) =>
          [name, await succeedsWithin(check, LIMITS.database.probeTimeoutMs)] as const,
      ),
    );
    const isReady = results.every(([, isOk]) => isOk);
    const checks = Object.fromEntries(
      results.map(([name, isOk]) => [name, isOk ? 'ok' : 'failed']),
    );
    return c.json({ status: isReady ? 'ready' : 'not ready', checks }, isReady ? 200 : 503);
  });

  app.get('/metrics', async (c) => {
    c.set('route', 'metrics');
    const { metricsToken } = options;
    if (metricsToken === null || !isBearer(c.req.header('authorization'), metricsToken)) {
      return c.notFound();
    }
    const { registry } = options.metrics;
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
}

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
