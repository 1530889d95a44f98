/** How many refused wordings each folder may still have. A folder that is not listed may have none. */
export type Counts = ReadonlyMap<string, number>;

/** The folder whose number counts a file: two levels, three below packages/ and test/. */
export function folderOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, ['packages', 'test'].includes(folders[0] ?? '') ? 3 : 2).join('/') || '.';
}

export function countByFolder(files: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  return counts;
}

/** Reads lines of a folder and a number. A merge may leave several lines for one folder: the lowest counts. */
export function readTable(text: string): Counts {
  const counts = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [folder = '', number = ''] = line.split(' ');
    if (!/^\d+$/.test(number)) throw new Error(`not a line of a folder and a number: ${line}`);
    counts.set(folder, Math.min(counts.get(folder) ?? Infinity, Number(number)));
  }
  return counts;
}

export const writeTable = (counts: Counts): string =>
  [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, count]) => `${folder} ${count}\n`)
    .join('');

export const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The folders that have more refused wordings than they may. */
export const worse = (now: Counts, allowed: Counts): readonly string[] =>
  [...now.keys()].filter((folder) => (now.get(folder) ?? 0) > (allowed.get(folder) ?? 0)).sort();
