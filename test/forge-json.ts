import { money } from '#contract/money.ts';

export type Step = string | number;

/** Paths of everything in a reply, parts and leaves. */
function pathsOf(value: unknown, path: readonly Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const inside = Object.keys(value).map((key) => (Array.isArray(value) ? Number(key) : key));
  const below = inside.flatMap((key) => pathsOf(at(value, [key]), [...path, key]));
  return path.length === 0 ? below : [[...path], ...below];
}

function at(value: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<Step, unknown> | null)?.[key], value);
}

const REMOVED = Symbol('removed');

/** A copy of the replies with something else at a path. */
export function forge<Replies>(replies: Replies, path: readonly Step[], value: unknown): Replies {
  const copy = structuredClone(replies);
  const parent = at(copy, path.slice(0, -1)) as Record<Step, unknown>;
  const key = path.at(-1) ?? '';
  if (value !== REMOVED) parent[key] = value;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return copy;
}

/** Other values of the same sort. */
function changesOf(value: unknown): unknown[] {
  if (value === null) return ['1', money(1n, 'USD')];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  if (Array.isArray(value)) return [null, [], value.toReversed(), [...value.slice(0, 1), ...value]];
  if (typeof value !== 'string') return [null, {}];
  const next = (text: string) => text.replace(/.$/, (last) => (last === '7' ? '8' : '7'));
  const digits = /^-?\d+$/.test(value) ? [(BigInt(value) + 1_000_000n).toString()] : [];
  const upper = value.toUpperCase() === value ? [] : [value.toUpperCase()];
  return [null, '', next(value), next(value.replace(/^./, '7')), ...digits, ...upper];
}

/** All forgeries: a path, and what stands there instead. */
export function forgeriesOf<Replies extends object>(
  honest: Replies,
  others: readonly Replies[],
  replies: readonly (keyof Replies)[],
): { path: Step[]; value: unknown }[] {
  return pathsOf(honest)
    .filter((path) => path.length > 1 && replies.some((name) => name === path[0]))
    .flatMap((path) => {
      const own = at(honest, path);
      const parent = at(honest, path.slice(0, -1));
      const foreign = others.map((other) => at(other, path));
      const values = [...changesOf(own), ...foreign, ...(Array.isArray(parent) ? parent : [])];
      const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
      return [REMOVED, ...distinct.values()]
        .filter((value) => value !== undefined && !isSame(value, own))
        .map((value) => ({ path, value }));
    });
}

function isSame(a: unknown, b: unknown): boolean {
  return typeof a !== 'symbol' && JSON.stringify(a) === JSON.stringify(b);
}

/** "proof.movement.entries[].account" */
export function nameOf(path: readonly Step[]): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .slice(1);
}
