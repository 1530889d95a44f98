import type { ParsedDocument } from './parsed.ts';

/** What a built page refers to. */
export interface Reference {
  readonly kind: 'link' | 'resource';
  readonly address: string;
}

export interface BuiltPage {
  /** Its path in the site. */
  readonly path: string;
  readonly ids: readonly string[];
  readonly references: readonly Reference[];
}

const isExternal = (address: string): boolean => /^(?:[a-z]+:|\/\/)/i.test(address);

/** Reads a built page: its ids, its links, and what a browser loads with it. */
export function readPage(path: string, document: ParsedDocument): BuiltPage {
  const attributes = (selector: string, name: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map((element) => element.getAttribute(name) ?? '');
  const resources = [
    ...attributes('img, script[src], iframe, video, audio', 'src'),
    ...attributes('link', 'href'),
    ...attributes('[srcset]', 'srcset').flatMap((set) =>
      set.split(',').map((one) => one.trim().split(' ')[0] ?? ''),
    ),
  ];
  return {
    path,
    ids: attributes('[id]', 'id'),
    references: [
      ...attributes('a[href]', 'href').map((address): Reference => ({ kind: 'link', address })),
      ...resources.map((address): Reference => ({ kind: 'resource', address })),
    ],
  };
}

/**
 * What is wrong with the built pages: links, anchors and images that lead nowhere, ids that are given twice, and what a browser would load
 * from another host. External links are not fetched.
 */
export function siteProblems(pages: readonly BuiltPage[], files: ReadonlySet<string>): readonly string[] {
  const idsOf = new Map(pages.map(({ path, ids }) => [path, new Set(ids)]));
  const problemOf = (path: string, { kind, address }: Reference): string | undefined => {
    if (isExternal(address)) return kind === 'link' ? undefined : `${address} is loaded from another host`;
    if (address.startsWith('/')) return `${address} only works at the top of a host`;
    const { pathname, hash } = new URL(address, `site:///${path}`);
    const target = decodeURIComponent(pathname.slice(1));
    if (!files.has(target)) return `${address} does not exist`;
    const id = decodeURIComponent(hash.slice(1));
    return id === '' || !idsOf.has(target) || idsOf.get(target)?.has(id)
      ? undefined
      : `${address} has no such anchor`;
  };
  return pages.flatMap(({ path, ids, references }) =>
    [
      ...references.flatMap((reference) => problemOf(path, reference) ?? []),
      ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `the id ${id} is given twice`),
    ].map((problem) => `${path}: ${problem}`),
  );
}
