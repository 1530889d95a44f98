/** A map of at most so many entries. */
export interface YoungestEntries<Entry> {
  readonly get: (key: string) => Entry | undefined;
  readonly put: (key: string, entry: Entry) => void;
  readonly remove: (key: string) => void;
}

/** Keeps the entries that were put last: one more than it may have drops the oldest. */
export function youngestOf<Entry>(most: number): YoungestEntries<Entry> {
  const entries = new Map<string, Entry>();
  return {
    get: (key) => entries.get(key),
    put: (key, entry) => {
      entries.delete(key);
      entries.set(key, entry);
      const oldest = entries.keys().next();
      if (entries.size > most && !oldest.done) entries.delete(oldest.value);
    },
    remove: (key) => {
      entries.delete(key);
    },
  };
}
