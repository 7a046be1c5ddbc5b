import { readFileSync, readdirSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second. */
const TICK_MS = 10;

interface Process {
  parent: number;
  /** Time of the process and of its ended children. */
  ms: number;
}

/**
 * Processor time of the processes with all their descendants, in milliseconds: unlike the clock, it
 * is nearly the same whatever else the machine does. NaN if the system does not report it.
 */
export function processorMs(roots: readonly number[]): number {
  const processes = readProcesses();
  if (processes.size === 0) return NaN;
  return Array.from(processes)
    .filter(([pid]) => descendsFrom(pid, roots, processes))
    .reduce((sum, [, { ms }]) => sum + ms, 0);
}

/** Processes with all their descendants, by their numbers; none if the system does not report them. */
export function descendantsOf(roots: readonly number[]): number[] {
  const processes = readProcesses();
  return Array.from(processes.keys()).filter((pid) => descendsFrom(pid, roots, processes));
}

interface Measured<T> {
  result: T;
  tookMs: number;
  processorMs: number;
}

/** Runs work, and measures its time and the processor time of the processes with all their descendants. */
export async function measured<T>(
  roots: readonly number[],
  work: () => Promise<T>,
): Promise<Measured<T>> {
  const [startedAt, before] = [performance.now(), processorMs(roots)];
  const result = await work();
  return {
    result,
    tookMs: performance.now() - startedAt,
    processorMs: processorMs(roots) - before,
  };
}

function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>();
  for (const name of listProc()) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readStat(pid);
    if (stat !== undefined) processes.set(pid, stat);
  }
  return processes;
}

function listProc(): string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** proc_pid_stat(5); the name, which may contain anything, ends with the last parenthesis. */
function readStat(pid: number): Process | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  const ticks = (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0);
  return { parent: Number(fields[1]), ms: ticks * TICK_MS };
}

function descendsFrom(
  pid: number,
  roots: readonly number[],
  processes: ReadonlyMap<number, Process>,
): boolean {
  for (let current = pid; current > 1; current = processes.get(current)?.parent ?? 0) {
    if (roots.includes(current)) return true;
  }
  return false;
}
