import { JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../scripts/site/search/excerpt.ts';
import { searchRecords } from '../../scripts/site/search/records.ts';

describe('what the search of the site knows', () => {
  it('is each part of a page, from one heading to the next', () => {
    const { window } = new JSDOM(`<nav>Pages</nav><article><h1 id="t">The command line</h1><p>In a
      clone.</p><h2 id="drover-ui">drover ui</h2><div><table><tr><td>a</td><td>b</td></tr></table></div></article>`);
    expect(searchRecords('docs/cli.md', window.document)).toEqual([
      { id: 'docs/cli.html', page: 'The command line', heading: '', text: 'In a clone.', keywords: '' },
      {
        id: 'docs/cli.html#drover-ui',
        page: 'The command line',
        heading: 'drover ui',
        text: 'a b',
        keywords: '',
      },
    ]);
  });
});

describe('an excerpt', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

  it('begins with whole words shortly before the first match, and ends with a whole word', () => {
    const excerpt = excerptOf(words, 'nothing WORD30');
    expect(excerpt).toMatch(/^… word2\d .*\bword30\b.* word\d+ …$/);
    expect(excerpt.length).toBeLessThan(170);
  });

  it.each(['word0', 'nothing'])(
    'of a text that begins with its match, or has none, is its beginning: %s',
    (query) => {
      expect(excerptOf(words, query)).toMatch(/^word0 word1 .* …$/);
    },
  );

  it('of a short text is the text', () => {
    expect(excerptOf('A drain has failed.', 'failed')).toBe('A drain has failed.');
  });

  it('of one long word is its beginning', () => {
    expect(excerptOf('a'.repeat(400), 'a')).toBe(`${'a'.repeat(160)} …`);
  });
});
