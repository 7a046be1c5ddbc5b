import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { describeCluster, openTestCluster } from './cluster.ts';
import type { TestCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

/**
 * Starts the tests' PostgreSQL and makes its template before the first test file, and keeps it
 * running until the last is done. Test files are given its addresses: each joining it by itself would
 * cost them 0.2 s. Answers the teardown.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  compileServer();
  const opened = await openTestCluster();
  project.provide('cluster', describeCluster(opened));
  return () => opened.database.stop();
}

/**
 * Has the server compiled, the first time, for the processes that tests start: many of them are killed
 * and keep nothing. It loads everything before it reads its options, and ends at one it does not know.
 */
function compileServer(): void {
  const folder = process.env['NODE_COMPILE_CACHE'];
  if (folder === undefined || existsSync(folder)) return;
  const main = join(import.meta.dirname, '../server/programs/main.ts');
  spawn(process.execPath, [main, '--compile'], { stdio: 'ignore' }).unref();
}
