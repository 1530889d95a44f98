/** The operator's settings of the rotation. */
export interface RotationTiming {
  /** The period of the rotation. */
  readonly rotationSeconds: number;
  /** How long a replaced credential stays valid: the slowest boot, from reading the credential to using it. */
  readonly overlapSeconds: number;
}

/** More valid tokens than this of one owner mean that something makes them in a loop. */
export const maxValidTokens = 10;

/**
 * A run publishes a token within this time after making it, or not at all: a laptop that slept in between must not publish a
 * token that others have retired. The shortest allowed overlap is longer.
 */
export const freshSeconds = 300;

/**
 * How long a new token is valid. It must outlast the rotation period and the slowest boot, because a node may read it at the last
 * moment. A second period is added, so that no node is locked out if the rotation fails for a whole period.
 */
export const validitySeconds = ({ rotationSeconds, overlapSeconds }: RotationTiming): number =>
  2 * rotationSeconds + overlapSeconds;
