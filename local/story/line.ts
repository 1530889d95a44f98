/** Whose doing a line tells of. */
export type Speaker = 'story' | 'aws' | 'node' | 'pod' | 'drover' | 'problem';

/** One thing that happened, in words. */
export interface Line {
  /** Milliseconds since the epoch, simulated. */
  readonly at: number;
  readonly speaker: Speaker;
  readonly text: string;
}

/** `ip-10-0-1-17` of `ip-10-0-1-17.eu-west-1.compute.internal`. */
export const shortNodeName = (name: string): string => name.split('.')[0] ?? name;
