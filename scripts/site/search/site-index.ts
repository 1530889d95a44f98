import MiniSearch from 'minisearch';
import { type SearchRecord, type Tier, tierOf } from './record.ts';
import { alternativesOf, stemOf } from './words.ts';

/** A part of a page that was found. */
export interface Found {
  readonly record: SearchRecord;
  /** The words of the part that the search matched, as they begin. */
  readonly matched: readonly string[];
}

export interface SiteIndex {
  search(words: string): readonly Found[];
}

/** So that a long page, such as that of the command line, leaves room for others. */
const partsOfAPage = 2;
/** How much more than the text these fields count: for what was typed, and for a word that means the same. */
const typed = { heading: 4, page: 3, keywords: 8 };
const alike = { heading: 2, page: 1.5, keywords: 4, text: 0.5 };
const order: readonly Tier[] = ['guide', 'record', 'decision'];

/** Finds parts of pages. Guides come before records, and decisions last, whatever their words. */
export function siteIndex(records: readonly SearchRecord[]): SiteIndex {
  const byId = new Map(records.map((record) => [record.id, record]));
  const index = new MiniSearch<SearchRecord>({
    fields: ['heading', 'page', 'keywords', 'text'],
    processTerm: stemOf,
    searchOptions: { boost: typed, prefix: (term) => term.length > 2, fuzzy: fuzzOf },
  });
  index.addAll(records);

  const found = (words: string, combineWith: 'AND' | 'OR') =>
    index.search({
      combineWith,
      queries: alternativesOf(words).map((alternatives) => ({
        combineWith: 'OR',
        queries: alternatives.map((alternative, at) => ({
          combineWith: 'AND',
          queries: [alternative],
          // What was typed counts more than a word for the same thing.
          boost: at === 0 ? typed : alike,
        })),
      })),
    });

  return {
    search(words) {
      const all = found(words, 'AND');
      const results = all.length > 0 ? all : found(words, 'OR');
      const parts = results.flatMap(({ id, terms }): readonly Found[] => {
        const record = byId.get(String(id));
        return record === undefined ? [] : [{ record, matched: terms }];
      });
      return inOrder(parts);
    },
  };
}

/** Short words, such as `pdb` and `dns`, have too many neighbours. */
const fuzzOf = (term: string): number => (term.length < 5 ? 0 : 0.15);

/** A stable sort: within a tier the order of the search stays. */
function inOrder(parts: readonly Found[]): readonly Found[] {
  const perPage = new Map<string, number>();
  const kept = parts.filter(({ record: { page } }) => {
    const count = (perPage.get(page) ?? 0) + 1;
    perPage.set(page, count);
    return count <= partsOfAPage;
  });
  return kept.toSorted((a, b) => order.indexOf(tierOf(a.record.id)) - order.indexOf(tierOf(b.record.id)));
}
