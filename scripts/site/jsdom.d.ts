/** The part of jsdom that reads built pages. Its own types would bring those of browsers into every room. */
declare module 'jsdom' {
  import type { ParsedDocument } from './check/parsed.ts';

  export class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: ParsedDocument; close(): void };
  }
}
