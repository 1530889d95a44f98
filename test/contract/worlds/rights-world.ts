import type { InvocationOutcome } from '@drover/cloud-sandbox/lambda';
import type { World } from './world.ts';

/** Drover with other rights in the cluster than the manifest gives it. */
export interface RightsWorld extends World {
  /** The bootstrap credential is looked after once more, so many hours after the last time. */
  rotate(hoursLater: number): Promise<InvocationOutcome>;
  /** Deletes the parameter in which the credential is published, if it is. */
  losePublished(): void;
}
