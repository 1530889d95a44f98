/** CPU seconds that the process has used so far, all its threads included. */
export function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Fixed work of the kinds that tests do: objects, texts, JSON, sorting. Its result depends on nothing. */
export function fixedWork(): number {
  const kept = new Map<string, object>();
  let sum = 0;
  for (let round = 0; round < 40; round += 1) {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      index,
      name: `node-${index * round}`,
      tags: { round, even: index % 2 === 0 },
    }));
    const text = JSON.stringify(rows);
    for (const { name, tags } of JSON.parse(text) as typeof rows) kept.set(name, tags);
    sum += text.replaceAll(/\d+/g, (digits) => String(digits.length)).length;
    sum += [...kept.keys()].toSorted().length;
  }
  return sum;
}

/** The CPU seconds of the fixed work now. The first call of a process is slower than later ones. */
export function calibrate(): number {
  const before = usedSeconds();
  fixedWork();
  return usedSeconds() - before;
}
