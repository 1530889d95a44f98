import type { Flag } from './commands.ts';

const longFlags = (cell: string): readonly string[] =>
  [...cell.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*(?:\.\d+)?/g)].map(([flag]) => flag);

interface Row {
  readonly flags: readonly string[];
  readonly line: string;
  readonly meaning: string;
}

function rowOf(line: string): Row {
  const [, cell = '', meaning = ''] = /^\| (.*?) (?<!\\)\| (.*) \|$/.exec(line) ?? [];
  return { flags: longFlags(cell), line, meaning };
}

const isRow = (line: string): boolean => line.startsWith('|');
const isHead = (line: string): boolean => /^\| flag \| (?:meaning )?\|$/.test(line);

/** The lines of a table in a section, from its head to its last row; undefined if the section has none. */
function tableIn(lines: readonly string[]): { readonly from: number; readonly to: number } | undefined {
  const from = lines.findIndex(isHead);
  if (from === -1) return undefined;
  const length = lines.slice(from).findIndex((line) => !isRow(line));
  return { from, to: length === -1 ? lines.length : from + length };
}

/** How a row names its flags: flags that share a row in the page keep sharing it. */
const named = (flags: readonly Flag[]): string => flags.map(({ spelled }) => spelled).join(', ');

/**
 * The rows of a table of flags: each flag as the command spells it, with the meaning that the page has, or else the description of the help.
 * A flag that the command no longer has is left out, and a new one is added at the end.
 */
function rowsFor(flags: readonly Flag[], existing: readonly Row[]): readonly string[] {
  const byName = new Map(flags.map((flag) => [flag.long, flag]));
  const kept = existing.flatMap(({ flags: names, line, meaning }) => {
    if (names.length === 0) return [line];
    const present = names.flatMap((name) => byName.get(name) ?? []);
    return present.length === 0 ? [] : [`| ${named(present)} | ${meaning} |`];
  });
  const known = new Set(existing.flatMap(({ flags: names }) => names));
  const added = flags
    .filter(({ long }) => !known.has(long))
    .map((flag) => `| ${named([flag])} | ${flag.help} |`);
  return [...kept, ...added];
}

/** A section of the page with its table of flags brought up to date. */
export function withFlagTable(section: string, flags: readonly Flag[]): string {
  const lines = section.split('\n');
  const table = tableIn(lines);
  const existing = table === undefined ? [] : lines.slice(table.from + 2, table.to).map(rowOf);
  const rows = flags.length === 0 ? [] : ['| flag | meaning |', '|---|---|', ...rowsFor(flags, existing)];
  if (table !== undefined) return lines.toSpliced(table.from, table.to - table.from, ...rows).join('\n');
  return rows.length === 0 ? section : `${section.trimEnd()}\n\n${rows.join('\n')}\n\n`;
}
