/** An element of a built page, as far as the site reads it. */
export interface ParsedElement {
  readonly id: string;
  readonly tagName: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  querySelectorAll(selector: string): Iterable<ParsedElement>;
}

export interface ParsedDocument {
  querySelectorAll(selector: string): Iterable<ParsedElement>;
}
