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

const isExternal = (address: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
/** What a reader may be led to: the policy of the pages keeps `javascript:` from running, so that such a link does nothing. */
const isAllowed = (address: string): boolean => /^(?:https?:|mailto:|\/\/)/i.test(address);

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
    if (isExternal(address)) {
      if (kind === 'resource') return `${address} is loaded from another host`;
      return isAllowed(address) ? undefined : `${address} is neither of the web nor a mail address`;
    }
    if (address.startsWith('/')) return `${address} only works at the top of a host`;
    const { pathname, hash } = new URL(address, `site:///${path}`);
    const [target, id] = [decoded(pathname.slice(1)), decoded(hash.slice(1))];
    if (target === undefined || id === undefined) return `${address} has a wrong escape`;
    if (!files.has(target)) return `${address} does not exist`;
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

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
