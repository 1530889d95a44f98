import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { parsePage } from './check/parse-page.ts';
import { outputOf, pages, root } from './content/pages.ts';
import { configure } from './eleventy-config.ts';
import { searchRecords } from './search/records.ts';

export interface SiteOptions {
  /** An empty folder, or one to be replaced. */
  readonly directory: string;
  /** The address before a path of the repository, with a `/` at its end. */
  readonly repository: string | undefined;
}

/** Makes the site from the Markdown of the repository. */
export async function buildSite({ directory, repository }: SiteOptions): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const copies = new Map<string, string>();
  const { default: Eleventy } = await import('@11ty/eleventy');
  const eleventy = new Eleventy('.', directory, {
    quietMode: true,
    configPath: null,
    config: (eleventyConfig) =>
      configure(eleventyConfig, { repository, onCopy: (path, output) => copies.set(output, path) }),
  });
  await eleventy.write();
  for (const [output, path] of copies) await copyFile(path, join(directory, output));
  await writeAssets(join(directory, 'assets'));
  await writeIndex(directory);
}

async function copyFile(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(join(root, path), target);
}

/** The style, the script and the icon. */
async function writeAssets(outdir: string): Promise<void> {
  await build({
    entryPoints: { site: join(import.meta.dirname, 'browser/main.ts') },
    outdir,
    bundle: true,
    minify: true,
    target: 'es2022',
    logLevel: 'warning',
  });
  await build({
    entryPoints: { site: join(import.meta.dirname, 'theme/site.css') },
    outdir,
    bundle: true,
    minify: true,
    logLevel: 'warning',
  });
  await copyFile('ui/logo.svg', join(outdir, 'logo.svg'));
}

/** What the search loads. */
async function writeIndex(directory: string): Promise<void> {
  const records = [];
  for (const page of pages)
    records.push(
      ...(await parsePage(join(directory, outputOf(page)), (document) => searchRecords(page, document))),
    );
  await writeFile(join(directory, 'assets/search.json'), JSON.stringify(records));
}
