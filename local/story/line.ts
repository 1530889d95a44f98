/** The actor of a line. */
export type Speaker = 'story' | 'aws' | 'node' | 'request' | 'pod' | 'dns' | 'etcd' | 'drover' | 'problem';

/** One event, in words. */
export interface Line {
  /** Milliseconds since the epoch, simulated. */
  readonly at: number;
  readonly speaker: Speaker;
  readonly text: string;
}

/** `ip-10-0-1-17` of `ip-10-0-1-17.eu-west-1.compute.internal`. */
export const shortNodeName = (name: string): string => name.split('.')[0] ?? name;

/** Actor and text. */
export type Told = readonly [Speaker, string];

/** `a, b and c` */
export const inWords = (things: readonly string[]): string =>
  things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.slice(-1).join('')}`;
