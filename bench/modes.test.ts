import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocsTable } from '#test/docs-table.ts';
import { MODES } from './modes.ts';

const PAGE = 'PERFORMANCE.md';
const text = readFileSync(join(import.meta.dirname, '../docs', PAGE), 'utf8');
const optionOf = (option: string) => option.split(' ')[0] ?? '';

it('docs/PERFORMANCE.md names every part of the bench', () => {
  expect(readDocsTable('## Parts', PAGE)).toEqual(
    Object.values(MODES).map(({ option, what }) => [`\`${option}\``, what]),
  );
});

/** Tables of figures: their heads name a command. */
const figures = [...text.matchAll(/^## (.+)$/gm)]
  .map(([, heading = '']) => readDocsTable(`## ${heading}`, PAGE))
  .filter(([row]) => row?.length === 6)
  .flat();

it('docs/PERFORMANCE.md has a figure of every part, and each names its command', () => {
  const commands = figures.map(([, command = '']) => command);
  const isKnown = (command: string) =>
    Object.values(MODES).some(({ option }) => command.startsWith(`\`${optionOf(option)}`)) ||
    command.startsWith('`--only ');
  expect(commands.filter((command) => !isKnown(command))).toEqual([]);
  for (const { option } of Object.values(MODES)) {
    const own = commands.filter((command) => command.startsWith(`\`${optionOf(option)}`));
    expect(own.length, option).toBeGreaterThan(0);
  }
});

it('docs/PERFORMANCE.md says when and on which machine each figure was measured', () => {
  for (const [figure = '', , measured = '', , , when = ''] of figures) {
    if (measured.startsWith('not measured')) expect(when, figure).toBe('');
    else expect(when, figure).toMatch(/^20\d\d-\d\d-\d\d, [0-9a-f]{8}, (quiet|shared|not noted)$/);
  }
});
