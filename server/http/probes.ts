import { timingSafeEqual } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { faultLog, faultWithin } from '#server/lib/check.ts';
import type { Check, Faults } from '#server/lib/check.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { VERSION } from '#server/lib/version.ts';
import type { Environment } from './environment.ts';

/** Checks that must pass before requests are sent to this process. */
export type ReadinessChecks = Readonly<Record<string, Check>>;

export interface ProbeOptions {
  checks: ReadinessChecks;
  /** Checks that /readyz names, and that keep no request from this process. */
  notices: ReadinessChecks;
  metrics: Metrics;
  log: Log;
  /** Token for `Authorization: Bearer` on /metrics; null: nobody has access. */
  metricsToken: string | null;
}

/**
 * - /healthz: the process is up and answers, and which version it is.
 * - /readyz: it can do its work; 503 names the failing parts, for load balancers. Files are named
 *   too, and a full disk of them is "ready in part" and no 503: money does not need it, and every
 *   process has the same place for them, so that none would be left.
 * - /metrics: Prometheus text, for callers with the token; for others it does not exist. The
 *   caller's address does not matter, because a proxy on this machine makes everybody behind it
 *   look local.
 */
export function mountProbes(app: OpenAPIHono<Environment>, options: ProbeOptions): void {
  app.get('/healthz', (c) => {
    c.set('route', 'healthz');
    return c.json({ status: 'ok', version: VERSION });
  });

  const logFaults = faultLog(options.log, { failed: 'Not ready', well: 'Ready again' });
  app.get('/readyz', async (c) => {
    c.set('route', 'readyz');
    const [results, notices] = await Promise.all([
      faultsOf(options.checks),
      faultsOf(options.notices),
    ]);
    const faults = results.flatMap(([name, fault]) => (fault === null ? [] : [[name, fault]]));
    // Callers see the name of the failing part, not the reason, which may contain internal details.
    logFaults(Object.fromEntries(faults) as Faults);
    const isReady = faults.length === 0;
    const checks = Object.fromEntries(
      [...results, ...notices].map(([name, fault]) => [name, fault === null ? 'ok' : 'failed']),
    );
    const isWhole = notices.every(([, fault]) => fault === null);
    const ready = isWhole ? 'ready' : 'ready in part';
    return c.json({ status: isReady ? ready : 'not ready', checks }, isReady ? 200 : 503);
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

/** Each check with its fault in words, or null. */
function faultsOf(checks: ReadinessChecks): Promise<(readonly [string, string | null])[]> {
  return Promise.all(
    Object.entries(checks).map(
      async ([name, check]) =>
        [name, await faultWithin(check, LIMITS.database.probeTimeoutMs)] as const,
    ),
  );
}

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
