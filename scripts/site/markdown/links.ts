import { type SiteLink, siteLink } from '../content/links.ts';
import { type MarkdownRule, pageOf, type Token } from './token.ts';

export interface LinksOptions {
  readonly repository: string | undefined;
  /** Called for each file of the repository of which the site needs a copy. */
  readonly onCopy: (path: string, output: string) => void;
}

/** Makes the links between Markdown files links between pages. */
export const linksRule =
  ({ repository, onCopy }: LinksOptions): MarkdownRule =>
  (state) => {
    const page = pageOf(state);
    for (const { children } of state.tokens)
      for (const [index, token] of (children ?? []).entries()) {
        const link = token.type === 'link_open' ? token.attrGet('href') : null;
        const found = link === null ? undefined : siteLink({ page, link: readable(link), repository });
        // What stays as it is keeps its escapes: decoding and encoding does not give those of `/` or `?` back.
        if (found === undefined || found.kind === 'as-is') continue;
        if (found.kind === 'copy') onCopy(found.path, found.output);
        if (found.kind === 'text') makeText({ tokens: children ?? [], index, path: found.path });
        else token.attrSet('href', addressOf(found));
      }
  };

const addressOf = ({ address }: Exclude<SiteLink, { kind: 'text' | 'as-is' }>): string => encodeURI(address);

interface LinkPlace {
  readonly tokens: readonly Token[];
  readonly index: number;
  readonly path: string;
}

/** Links do not nest, so that the next end is the link's own. */
function makeText({ tokens, index, path }: LinkPlace): void {
  const [open, close] = [tokens[index], tokens.slice(index).find(({ type }) => type === 'link_close')];
  if (!open || !close) return;
  [open.tag, close.tag] = ['span', 'span'];
  open.attrs = [['title', `In the repository: ${path}`]];
}

/** The check of the built site names one with a wrong escape. */
function readable(link: string): string {
  try {
    return decodeURI(link);
  } catch (error) {
    if (error instanceof URIError) return link;
    throw error;
  }
}
