/** A part of a page, from one heading to the next, as the search of the site knows it. */
export interface SearchRecord {
  /** Its address, relative to the top of the site. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** Other words for it. */
  readonly keywords: string;
}

export type Tier = 'guide' | 'record' | 'decision';

/** The kind of page at an address. Guides and references describe what to do; records what was done or proven; decisions why. */
export function tierOf(address: string): Tier {
  if (address.startsWith('docs/adr/')) return 'decision';
  return /^(?:CHANGELOG|docs\/(?:development|transcripts|CONTRIBUTING|truth|performance)|packages\/)/.test(
    address,
  )
    ? 'record'
    : 'guide';
}
