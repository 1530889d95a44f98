import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Content } from './respond.ts';

const contentTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/**
 * The files of the page by the path of their URL. Its scripts and styles are bundled when it is first served, in some 50 ms, so that
 * nothing has to be built before. Nothing else in the file system can be asked for.
 */
export function pageFiles(folder: string): ReadonlyMap<string, Content> {
  const read = (name: string): Uint8Array => readFileSync(join(folder, name));
  const html = { contentType: contentTypes.html, body: read('index.html') };
  return new Map<string, Content>([
    ['/', html],
    ['/index.html', html],
    ['/logo.svg', { contentType: contentTypes.svg, body: read('logo.svg') }],
    ['/main.js', { contentType: contentTypes.js, body: bundle(join(folder, 'main.tsx')) }],
    ['/style.css', { contentType: contentTypes.css, body: bundle(join(folder, 'style/style.css')) }],
  ]);
}

function bundle(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: ['es2023'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild made no file of ${entry}`);
  return file.contents;
}
