import { describe, expect, it } from 'vitest';
import {
  checkNavigation,
  navigation,
  navigationFor,
  navigationProblems,
  trailOf,
} from '../../scripts/site/content/navigation.ts';
import { pages } from '../../scripts/site/content/pages.ts';
import { SiteError } from '../../scripts/site/site-error.ts';

describe('the navigation of the site', () => {
  it('names each page once, and no missing page', () => {
    expect(pages).toContain('docs/cli.md');
    expect(pages.length).toBeGreaterThan(50);
    expect(navigationProblems(navigation, pages)).toEqual([]);
  });

  it('is found wrong where a page is new, gone or named twice', () => {
    const entries = ['a.md', 'a.md', 'gone.md'].map((page) => ({ page, below: [] }));
    expect(navigationProblems([{ title: 'Try it', entries }], ['a.md', 'new.md'])).toEqual([
      'new.md is not in the navigation',
      'gone.md is named, and does not exist',
      'a.md is named twice',
    ]);
  });

  it('is refused before the site is built, with the file to fix', () => {
    expect(() => checkNavigation(navigation, pages)).not.toThrow();
    const renamed = pages.map((page) => page.replace('docs/performance.md', 'docs/speed.md'));
    expect(() => checkNavigation(navigation, renamed)).toThrow(
      new SiteError(
        'the navigation in scripts/site/content/navigation.ts is wrong:\ndocs/speed.md is not in the navigation\ndocs/performance.md is named, and does not exist',
      ),
    );
  });

  it('has the titles of the pages, and their addresses from the page that shows it', () => {
    const entries = navigationFor('docs/quick-start/eks.md').flatMap((section) => section.entries);
    expect(entries).toContainEqual({
      title: 'Quick start: kubeadm',
      address: 'kubeadm.html',
      isCurrent: false,
      below: [],
    });
    expect(entries.find(({ isCurrent }) => isCurrent)?.address).toBe('eks.html');
    expect(entries.find(({ title }) => title === 'Drover')?.address).toBe('../../index.html');
  });

  it.each(['docs/adr/README.md', 'docs/adr/0006-the-pass-loop.md'])('lists the decisions on %s', (page) => {
    const entries = navigationFor(page).flatMap((section) => section.entries);
    const decisions = entries.find(({ title }) => title === 'Decisions');
    expect(decisions?.below.map(({ address }) => address)).toContain('0006-the-pass-loop.html');
    expect(entries.filter(({ below }) => below.length > 0)).toEqual([decisions]);
  });

  it.each(pages.filter((page) => page !== 'README.md'))('has a section for the way home from %s', (page) => {
    expect(navigation.map(({ title }) => title)).toContain(trailOf(page).section);
  });

  it('has the page above in the way home from a page of a folder', () => {
    expect(trailOf('docs/adr/0006-the-pass-loop.md').parent).toEqual({
      title: 'Decisions',
      address: 'index.html',
    });
    expect(trailOf('docs/cli.md').parent).toBeUndefined();
    expect(trailOf('README.md').section).toBeUndefined();
  });
});
