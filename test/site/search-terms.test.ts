import { describe, expect, it } from 'vitest';
import { pages } from '../../scripts/site/content/pages.ts';
import { keywords } from '../../scripts/site/search/keywords.ts';
import { tierOf } from '../../scripts/site/search/record.ts';
import { siteIndex } from '../../scripts/site/search/site-index.ts';
import { recordsOf } from './support/markdown-records.ts';
import { searchTerms } from './support/search-terms.ts';

const records = pages.flatMap(recordsOf);
const index = siteIndex(records);

/** The pages that are found, each once, in the order in which the list shows them. */
const pagesFor = (typed: string): readonly string[] => [
  ...new Set(index.search(typed).map(({ record }) => record.id.replace(/#.*/, ''))),
];

describe('the search of the site', () => {
  it.each(searchTerms)(
    'answers "$typed" with $page $place, as asked in $askedIn',
    ({ typed, page, place }) => {
      const found = pagesFor(typed).slice(0, place === 'first' ? 1 : 3);
      expect(found).toContain(page);
    },
  );

  it('knows more than forty of the things that people type', () => {
    expect(new Set(searchTerms.map(({ typed }) => typed)).size).toBeGreaterThan(40);
  });

  it.each(searchTerms)('shows no decision before a guide for "$typed"', ({ typed }) => {
    const tiers = index.search(typed).map(({ record }) => tierOf(record.id));
    const lastGuide = tiers.lastIndexOf('guide');
    for (const later of ['record', 'decision'] as const)
      if (tiers.includes(later)) expect(lastGuide).toBeLessThan(tiers.indexOf(later));
  });

  it('still finds a decision by its title', () => {
    expect(pagesFor('taking turns without a counter')).toContain(
      'docs/adr/0004-taking-turns-without-a-counter.html',
    );
  });

  it.each(['draining', 'drained', 'drains', 'DRAIN'])(
    'finds the same for every form of a word: %s',
    (typed) => {
      expect(pagesFor(typed)[0]).toBe(pagesFor('drain')[0]);
    },
  );

  it('does not need the small words of a question', () => {
    expect(pagesFor('how do I uninstall it?')).toEqual(pagesFor('uninstall'));
  });

  it.each(['', '   ', '?', 'how to', '{}[]\\*+', 'a'.repeat(5000), '\u0000\u202e'])(
    'does not fail for %j',
    (typed) => {
      expect(() => index.search(typed)).not.toThrow();
    },
  );

  it('finds what has most of the words if no part has them all', () => {
    expect(pagesFor('spot interruption zzyzx').length).toBeGreaterThan(0);
  });

  it('has other words only for parts that exist', () => {
    const parts = records.map(({ id }) => id);
    expect(Object.keys(keywords).filter((id) => !parts.includes(id))).toEqual([]);
  });
});
