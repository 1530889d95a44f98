/** The last events, for the report of a violation. */
export interface Chronicle {
  record(line: string): void;
  last(count: number): readonly string[];
  /** Grows with every line and depends on all of them: two runs alike have the same. */
  digest(): string;
}

const kept = 400;

export function createChronicle(now: () => number): Chronicle {
  let lines: string[] = [];
  let sum = 0x811c9dc5;
  let count = 0;
  return {
    record: (text) => {
      const line = `${new Date(now()).toISOString().slice(11, 23)} ${text}`;
      for (let index = 0; index < line.length; index += 1)
        sum = Math.imul(sum ^ line.charCodeAt(index), 0x01000193);
      count += 1;
      lines.push(line);
      if (lines.length > kept * 2) lines = lines.slice(-kept);
    },
    last: (number) => lines.slice(-number),
    digest: () => `${count}-${(sum >>> 0).toString(16)}`,
  };
}
