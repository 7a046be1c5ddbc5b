import type { DutySetting } from '#contract/duties.ts';
import { THINGS } from '#contract/things/all.ts';

/** Two acts that one person may not both do. */
type Bar = readonly [string, string];

/**
 * Number of administrators it takes so that somebody can do each act, with these separations of duties switched on: who
 * completes a payout is not who approved it, and who books its return is neither, which makes three. Two at least. It
 * follows from the declarations of the things: acts are the points of a graph, a bar is a line between two of them, and
 * it takes as many people as colors.
 */
export function peopleNeeded(duties: readonly DutySetting[]): number {
  const key = duties.toSorted().join(' ');
  const known = counted.get(key) ?? colorsOf(barsOf(duties));
  counted.set(key, known);
  return known;
}
/** Results by duties, of which there are a few: a list asks once for its rows, a command each time. */
const counted = new Map<string, number>();

function barsOf(duties: readonly string[]): Bar[] {
  return THINGS.flatMap(({ name, acts }) =>
    Object.entries(acts).flatMap(([act, { secondPerson = [] }]) =>
      secondPerson
        .filter(({ rule }) => rule === 'always' || duties.includes(rule))
        .flatMap(({ after }) =>
          // The last payout is any: its return is by the same people as this one's.
          after.map((step): Bar => [
            `${name}.${act}`,
            step.replace('payout.return', `${name}.return`),
          ]),
        ),
    ),
  );
}

function colorsOf(bars: readonly Bar[]): number {
  const acts = [...new Set(bars.flat())];
  let people = 2;
  while (!canColor(bars, acts, people, new Map())) people += 1;
  return people;
}

function canColor(
  bars: readonly Bar[],
  [act, ...others]: readonly string[],
  people: number,
  doneBy: ReadonlyMap<string, number>,
): boolean {
  if (act === undefined) return true;
  const taken = bars
    .filter((bar) => bar.includes(act))
    .map(([one, other]) => doneBy.get(one === act ? other : one));
  const free = Array.from({ length: people }, (_, person) => person).filter(
    (person) => !taken.includes(person),
  );
  return free.some((person) => canColor(bars, others, people, new Map([...doneBy, [act, person]])));
}
