import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Configuration of a part that the repository has, and where. */
const SOURCES = {
  ini: () => blockOf('docs/database.md', 'ini'),
  nginx: () => readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8'),
};

/**
 * The configuration that docs/database.md or deploy/ has for a part, with the places of this run in it. So the
 * lines that operators copy are those that are tried.
 *
 * @param places by the words of the file that each replaces
 * @throws Error when the file has no longer one of these words
 */
export function documentedConfiguration(
  language: keyof typeof SOURCES,
  places: Readonly<Record<string, string>>,
): string {
  let text = SOURCES[language]();
  for (const [documented, actual] of Object.entries(places)) {
    if (!text.includes(documented)) {
      throw new Error(`The configuration of ${language} has no "${documented}"`);
    }
    text = text.replaceAll(documented, actual);
  }
  return text;
}

function blockOf(page: string, language: string): string {
  const [block] = blocksOf(page, language);
  if (block === undefined) throw new Error(`${page} has no block of ${language}`);
  return block;
}

/** Code blocks of one language in a page of the repository, in order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return Array.from(blocks, ([, block = '']) => block);
}
