import { readFile } from 'node:fs/promises';
import { addGroup } from '../cloud/furnish.ts';
import type { Furnishing } from '../wire/sandbox.ts';

export const workersGroupName = 'drover-workers';

/** The cluster that the story is told in: three workers in a managed group, and pods, some of them under a budget. */
export async function furnishCluster({ cloud, clusterName, apply }: Furnishing): Promise<void> {
  addGroup(cloud, {
    autoScalingGroupName: workersGroupName,
    clusterName,
    size: 3,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 300 },
  });
  await apply(await readFile(new URL('./workloads.yaml', import.meta.url), 'utf8'));
}
