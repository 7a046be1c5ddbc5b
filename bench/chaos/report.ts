import { percentile } from '../report.ts';
import type { ChaosResult } from './chaos.ts';

const MOST_NAMED = 10;

/**
 * True if nothing was lost, duplicated, invented, left over or answered wrongly, and no process
 * ended.
 */
export function isSound({ findings, faults, processesLost }: ChaosResult): boolean {
  return [...Object.values(findings), faults, processesLost].every((list) => list.length === 0);
}

/** The run as tables of text, with the faults by name. */
export function chaosReport(result: ChaosResult): string {
  const { cycles, acknowledged, retried, replayed, findings, faults, processesLost } = result;
  const counts: [string, number][] = [
    ['Cycles', cycles.length],
    ['Acknowledged actions', acknowledged],
    ['Requests retried', retried],
    ['- of these done already', replayed],
    ['Lost', findings.lost.length],
    ['Doubled', findings.doubled.length],
    ['Invented', findings.invented.length],
    ['Otherwise wrong', findings.wrong.length],
    ['Answers of a wrong kind', faults.length],
    ['Processes lost', processesLost.length],
  ];
  const lists = { ...findings, faults: inKinds(faults), 'processes lost': processesLost };
  const named = Object.entries(lists).flatMap(([what, list]) =>
    list.slice(0, MOST_NAMED).map((each) => `${what}: ${each}`),
  );
  return [
    ...counts.map(([what, count]) => `${what.padEnd(26)}${String(count).padStart(8)}`),
    '',
    ...outages(result),
    ...(named.length > 0 ? ['', ...named] : []),
  ].join('\n');
}

/** One of each kind of wrong answer, with their number: kinds differ in more than the ids, ports and references in them. */
function inKinds(faults: readonly string[]): string[] {
  const kindOf = (fault: string) =>
    fault.replaceAll(/[\da-f]{8}-[\da-f-]{27}|:\d{4,5}\/|[A-Z]{2,3}-\d+/g, '…');
  return [...Map.groupBy(faults, kindOf).values()].map(
    ([one, ...others]) => `${others.length + 1} × ${one}`,
  );
}

function outages({ cycles }: ChaosResult): string[] {
  const kinds = [...new Set(cycles.map(({ harm }) => harm))].toSorted();
  const heading = ['', 'cycles', 'without service', 'longest', 'whole again after', 'longest'];
  const rows = kinds.map((kind) => {
    const own = cycles.filter(({ harm }) => harm === kind);
    const without = own.map(({ withoutServiceMs }) => withoutServiceMs);
    const whole = own.map(({ wholeAfterMs }) => wholeAfterMs);
    return [
      kind,
      String(own.length),
      ...[without, whole].flatMap((list) => [percentile(list, 0.5), Math.max(...list)].map(inS)),
    ];
  });
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

function inS(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
