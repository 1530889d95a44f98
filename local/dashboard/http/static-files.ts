import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Content } from './respond.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page by the path of their URL, read once: nothing else in the file system can be asked for. */
export function readStaticFiles(folder: string): ReadonlyMap<string, Content> {
  const files = globSync('**/*.{css,html,js,svg}', { cwd: folder }).map((path) => {
    const content = {
      contentType: contentTypes[extname(path)] ?? '',
      body: readFileSync(join(folder, path)),
    };
    return [`/${path.replaceAll('\\', '/')}`, content] as const;
  });
  const byPath = new Map<string, Content>(files);
  const page = byPath.get('/index.html');
  return page ? byPath.set('/', page) : byPath;
}
