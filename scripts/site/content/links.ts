import { statSync } from 'node:fs';
import { join } from 'node:path';
import { addressBetween, outputOf, pageAt, root, targetOf } from './pages.ts';

/** What a link of a page becomes in the site. */
export type SiteLink =
  | { readonly kind: 'as-is'; readonly address: string }
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'repository'; readonly address: string }
  /** A file that the site has a copy of. */
  | { readonly kind: 'copy'; readonly address: string; readonly path: string; readonly output: string }
  /** A folder without a page, and the address of the repository is not known. */
  | { readonly kind: 'text'; readonly path: string };

export interface LinkOptions {
  readonly page: string;
  /** As in the Markdown. */
  readonly link: string;
  /** The address before a path of the repository, with a `/` at its end. */
  readonly repository: string | undefined;
}

/** The site has the images of the pages at their places. */
const isImage = /^docs\/.*\.(?:png|svg)$/;
const isText = /\.(?:json|ya?ml|txt)$/;

/** The path of a copied file. Hosts derive the type from the name, and treat `.ts` as video, so most names get a `.txt`. */
const copyOf = (path: string): string => (isText.test(path) ? path : `${path}.txt`);

const isFolder = (path: string): boolean => statSync(join(root, path)).isDirectory();

/** Resolves a link as GitHub does. A link to nothing stays as it is, and the check of the built site finds it. */
export function siteLink({ page, link, repository }: LinkOptions): SiteLink {
  const [path = '', fragment] = link.split('#');
  if (/^[a-z]+:/.test(link) || path === '') return { kind: 'as-is', address: link };
  const target = targetOf(page, path);
  if (target === undefined || isImage.test(target)) return { kind: 'as-is', address: link };
  const end = fragment === undefined ? '' : `#${fragment}`;
  const linked = pageAt(target);
  if (linked !== undefined) return { kind: 'page', address: addressBetween(page, outputOf(linked)) + end };
  if (repository !== undefined) return { kind: 'repository', address: repository + target + end };
  if (isFolder(target)) return { kind: 'text', path: target };
  const output = copyOf(target);
  return { kind: 'copy', address: addressBetween(page, output), path: target, output };
}
