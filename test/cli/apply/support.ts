import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';

/** The declaration that most tests begin with: one hold and one schedule of set shop. */
export const shop = `version: 1
set: shop
holds:
  - autoScalingGroupName: workers
    name: sale
    nodes: 3
    until: 2026-01-05T20:00:00+01:00
schedules:
  - name: office-hours
    autoScalingGroupName: workers
    nodes: 5
    expression: cron(0 8 ? * MON-FRI *)
    timeZone: Europe/Berlin
    durationSeconds: 36000
    lead: 600
    exceptions: [2026-12-25, 2026-04-06]
`;

/** A world of group workers with 2 of 1 to 10 nodes, which begins on 5 January 2026 at 8:00 UTC. */
export async function createApplyWorld(options: OperatorOptions & { readonly world?: DroverWorld } = {}) {
  const world = options.world ?? createDroverWorld();
  if (!options.world) await withWorkers(world, { size: 2 });
  const files: Record<string, string> = { 'drover.yaml': shop };
  const drover = operatorOf(world, { files, ...options });
  const overApi = apiOperatorOf(world, { files }).drover;
  const declare = (text: string, file = 'drover.yaml'): void => void (files[file] = text);
  return { world, files, declare, drover, overApi };
}

/** Everything that holds and schedules are kept in. */
export async function stateOf(drover: ReturnType<typeof operatorOf>): Promise<readonly Asked[]> {
  const [holds, schedules] = [await drover('hold list --json'), await drover('schedule list --json')];
  return [...(JSON.parse(holds.out) as Asked[]), ...(JSON.parse(schedules.out) as Asked[])].map(
    ({ name, nodes, until, set, expression }) => ({ name, nodes, until, set, expression }),
  );
}

export interface Asked {
  readonly name: string;
  readonly nodes: number;
  readonly until?: string | undefined;
  readonly set?: string | undefined;
  readonly expression?: string | undefined;
}
