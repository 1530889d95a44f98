/** A part of a page, from one heading to the next, as the search of the site knows it. */
export interface SearchRecord {
  /** Its address, relative to the top of the site. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}
