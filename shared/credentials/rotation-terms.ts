/** What the operator decides about rotation. */
export interface RotationTerms {
  /** A new credential is published this often. */
  readonly rotationSeconds: number;
  /** How long a credential stays good after it was replaced: the slowest boot, from reading it to asking with it. */
  readonly overlapSeconds: number;
}

/** More valid tokens than this of one owner mean that something makes them in a loop. */
export const maxValidTokens = 10;

/**
 * A run publishes a token this long after it has made it, or not at all: a laptop that slept in between must not publish
 * what others have retired meanwhile. The shortest overlap that is allowed is longer.
 */
export const freshSeconds = 300;

/**
 * How long a new token is good. It must outlast the rotation period and the slowest boot (reference: a node may read it at
 * the last moment); a second period is added, so that a rotation may fail for a whole period and no node is locked out.
 */
export const validitySeconds = ({ rotationSeconds, overlapSeconds }: RotationTerms): number =>
  2 * rotationSeconds + overlapSeconds;
