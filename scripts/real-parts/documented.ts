import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const OPERATING = join(import.meta.dirname, '../../docs/operating.md');

/**
 * The configuration that docs/operating.md gives for a part, with the places of this run in it. So the
 * documented lines are those that are tried.
 *
 * @param language of its code block: `ini`, `nginx`
 * @param places by the words of the page that each replaces
 * @throws Error when the page has no longer one of these words
 */
export function documentedConfiguration(
  language: string,
  places: Readonly<Record<string, string>>,
): string {
  const page = readFileSync(OPERATING, 'utf8');
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/operating.md has no block of ${language}`);
  let text = block;
  for (const [documented, actual] of Object.entries(places)) {
    if (!text.includes(documented)) {
      throw new Error(`The ${language} block of docs/operating.md has no "${documented}"`);
    }
    text = text.replaceAll(documented, actual);
  }
  return text;
}
