/** A token of markdown-it, as far as the site reads and changes it. */
export interface Token {
  readonly type: string;
  tag: string;
  readonly content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
  attrs: [string, string][] | null;
  hidden: boolean;
}

/** What markdown-it gives a rule: the tokens of a page, and the data of Eleventy. */
export interface MarkdownState {
  tokens: Token[];
  readonly env: { readonly page: { readonly inputPath: string } };
}

export type MarkdownRule = (state: MarkdownState) => void;

interface Renderer {
  readonly rules: Record<string, (() => string) | undefined>;
}

/** An instance of markdown-it. */
export interface MarkdownLibrary {
  enable(rule: string): void;
  readonly core: { readonly ruler: { push(name: string, rule: MarkdownRule): void } };
  readonly renderer: Renderer;
}

/** The path of the page in the repository. Eleventy writes `./docs/cli.md`. */
export const pageOf = ({ env }: MarkdownState): string => env.page.inputPath.replace(/^\.\//, '');

/** The text that a reader sees of inline tokens. */
export const textOf = (tokens: readonly Token[] | null): string =>
  (tokens ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');
