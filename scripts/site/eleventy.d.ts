/** The few parts of Eleventy and markdown-it that the site uses: scripts/site/node_modules is there only once the site was built. */
declare module '@11ty/eleventy' {
  import type { MarkdownLibrary } from './markdown/token.ts';

  export interface EleventyConfig {
    readonly ignores: { add(glob: string): void };
    readonly setLayoutsDirectory: (folder: string) => void;
    readonly setTemplateFormats: (formats: readonly string[]) => void;
    readonly amendLibrary: (name: 'md', amend: (library: MarkdownLibrary) => void) => void;
    readonly setLiquidOptions: (options: { readonly outputEscape: 'escape' }) => void;
    readonly addGlobalData: (name: string, value: unknown) => void;
    readonly addFilter: (name: string, filter: (input: string) => unknown) => void;
    readonly addPassthroughCopy: (paths: Readonly<Record<string, string>>) => void;
  }

  export interface EleventyOptions {
    readonly quietMode: boolean;
    readonly configPath: null;
    readonly config: (eleventyConfig: EleventyConfig) => object;
  }

  export default class Eleventy {
    constructor(input: string, output: string, options: EleventyOptions);
    write(): Promise<void>;
  }
}
