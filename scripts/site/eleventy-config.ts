import type { EleventyConfig } from '@11ty/eleventy';
import { navigationFor, trailOf } from './content/navigation.ts';
import { addressBetween, outputOf, pages, titleOf } from './content/pages.ts';
import { version } from './content/version.ts';
import { type Heading, headingsRule } from './markdown/headings.ts';
import { type LinksOptions, linksRule } from './markdown/links.ts';
import { boxTables, tablesRule } from './markdown/tables.ts';

const pageOf = (inputPath: string): string => inputPath.replace(/^\.\//, '');
const isPage = (inputPath: string): boolean => pages.includes(pageOf(inputPath));

/** How Eleventy makes the site: which Markdown, with which links, in which frame. */
export function configure(eleventyConfig: EleventyConfig, links: LinksOptions): object {
  const headings = new Map<string, readonly Heading[]>();
  eleventyConfig.setLayoutsDirectory('scripts/site/theme');
  eleventyConfig.setTemplateFormats(['md']);
  eleventyConfig.ignores.add('scripts/site/**');
  eleventyConfig.setLiquidOptions({ outputEscape: 'escape' });
  eleventyConfig.addPassthroughCopy({
    'docs/images': 'docs/images',
    'docs/how-it-works.svg': 'docs/how-it-works.svg',
  });
  eleventyConfig.amendLibrary('md', (library) => {
    // Eleventy turns code by indentation off; our pages use it.
    library.enable('code');
    library.core.ruler.push(
      'headings',
      headingsRule((page, found) => headings.set(page, found)),
    );
    library.core.ruler.push('links', linksRule(links));
    library.core.ruler.push('tables', tablesRule);
    boxTables(library);
  });
  eleventyConfig.addGlobalData('layout', 'page.liquid');
  eleventyConfig.addGlobalData('repository', links.repository);
  eleventyConfig.addGlobalData('version', version);
  eleventyConfig.addGlobalData('permalink', () => permalinkOf);
  eleventyConfig.addFilter('titleOf', (inputPath) => titleOf(pageOf(inputPath)));
  eleventyConfig.addFilter('sourceOf', pageOf);
  eleventyConfig.addFilter('topOf', (inputPath) => addressBetween(pageOf(inputPath), '.') + '/');
  eleventyConfig.addFilter('navigationFor', (inputPath) => navigationFor(pageOf(inputPath)));
  eleventyConfig.addFilter('trailOf', (inputPath) => trailOf(pageOf(inputPath)));
  eleventyConfig.addFilter('outlineOf', (inputPath) => outlineOf(headings.get(inputPath) ?? []));
  return { markdownTemplateEngine: false };
}

/** A Markdown file that is not a page of the site is not written. */
const permalinkOf = ({ page }: { readonly page: { readonly inputPath: string } }): string | false =>
  isPage(page.inputPath) && outputOf(pageOf(page.inputPath));

/** The headings beside a page: those of the second and third level, if there are several. */
const outlineOf = (headings: readonly Heading[]): readonly Heading[] => {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  return shown.length > 1 ? shown : [];
};
