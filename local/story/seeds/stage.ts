import type { Cloud } from '@drover/cloud-sandbox';
import { mapRole } from '../log-in.ts';
import { type View, viewOf } from '../view.ts';

/** Where a story plays: a simulated account, and the cluster on its instances. */
export interface Stage {
  readonly cloud: Cloud;
  readonly look: () => View | Promise<View>;
  /** Puts an entry for the role of people into aws-auth, or takes it out. */
  readonly mapRole: (isMapped: boolean) => unknown;
}

/** A cluster that is simulated too. */
export const simulatedStage = (cloud: Cloud): Stage => ({
  cloud,
  look: () => viewOf(cloud),
  mapRole: (isMapped) => mapRole(cloud, isMapped),
});
