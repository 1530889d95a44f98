import GithubSlugger from 'github-slugger';
import { type MarkdownRule, textOf } from './token.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** Gives headings the ids that GitHub gives them, and reports the headings of a page. */
export const headingsRule =
  (report: (inputPath: string, headings: readonly Heading[]) => void): MarkdownRule =>
  ({ tokens, env }) => {
    const slugger = new GithubSlugger();
    const headings = tokens.flatMap((token, index): readonly Heading[] => {
      if (token.type !== 'heading_open') return [];
      const text = textOf(tokens[index + 1]?.children ?? null);
      const id = slugger.slug(text);
      token.attrSet('id', id);
      return [{ level: Number(token.tag.slice(1)), id, text }];
    });
    report(env.page.inputPath, headings);
  };
