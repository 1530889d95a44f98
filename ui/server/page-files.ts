import { pageParts } from './page-parts.ts';
import type { Content } from './respond.ts';

/** The files of the page of a cluster, or of all clusters, by the path of their URL. Nothing else in the file system can be asked for. */
export function pageFiles(page: 'index' | 'clusters' = 'index'): ReadonlyMap<string, Content> {
  const parts = pageParts();
  const html = { contentType: 'text/html; charset=utf-8', body: parts[`${page}.html`] };
  return new Map<string, Content>([
    ['/', html],
    ['/index.html', html],
    ['/logo.svg', { contentType: 'image/svg+xml', body: parts['logo.svg'] }],
    ['/main.js', { contentType: 'text/javascript; charset=utf-8', body: parts['main.js'] }],
    ['/style.css', { contentType: 'text/css; charset=utf-8', body: parts['style.css'] }],
  ]);
}
