/**
 * `read-cluster.ts URL read` reads a cluster as prewarm does for holds for pods; `read-cluster.ts URL parse` only receives and parses the same pages.
 * Writes what it cost to standard output, as JSON.
 */
import * as z from 'zod/mini';
import { readPlanInput } from '../../../shared/capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { createPlanCluster } from '../../../shared/kubernetes/plan-cluster.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { instanceIdOf, listPaths, wholeCluster, zoneOf } from '../whole-objects.ts';

const clusterName = 'prod';
const timeoutMilliseconds = 60_000;

const group: AutoScalingGroup = {
  autoScalingGroupName: 'workers',
  tags: { [`kubernetes.io/cluster/${clusterName}`]: 'owned', 'drover.dev/role': 'worker' },
  minSize: 0,
  maxSize: 2 * wholeCluster.nodes,
  desiredCapacity: wholeCluster.nodes,
  instances: Array.from({ length: wholeCluster.nodes }, (_, node) => ({
    instanceId: instanceIdOf(node),
    lifecycleState: 'InService',
    availabilityZone: zoneOf(node),
    healthy: true,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
  availabilityZones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
};

/** @returns the number of pods on nodes. */
async function readCluster(server: string): Promise<number> {
  const connections = { connect: () => Promise.resolve({ server, tls: {} }), invalidate: () => undefined };
  const { nodes, groups, warnings } = await readPlanInput({
    cluster: createPlanCluster({ connections, sendHttp, timeoutMilliseconds }),
    // EC2 is asked only about groups without a Ready node.
    launches: { readLaunches: () => Promise.reject(new Error('no node of the group is Ready')) },
    groups: [group],
    clusterName,
  });
  if (groups.length !== 1 || warnings.length > 0)
    throw new Error(`the read is not whole: ${warnings.join('; ')}`);
  return nodes.reduce((sum, { pods }) => sum + pods.length, 0);
}

const pageSchema = z.object({
  metadata: z.object({ continue: z.optional(z.string()) }),
  items: z.array(z.unknown()),
});

/** @returns the number of pods in the pages. */
async function parsePages(server: string): Promise<number> {
  let pods = 0;
  for (const path of Object.values(listPaths))
    for (let next: string | undefined = '0'; next !== undefined; ) {
      const url = `${server}${path}?limit=500&continue=${next}`;
      const { body } = await sendHttp({ method: 'GET', url, headers: {}, timeoutMilliseconds });
      const { metadata, items } = pageSchema.parse(JSON.parse(body));
      if (path === listPaths.pods) pods += items.length;
      next = metadata.continue;
    }
  return pods;
}

const [server = '', mode] = process.argv.slice(2);
const before = process.cpuUsage();
const pods = await (mode === 'read' ? readCluster : parsePages)(server);
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ pods, cpuMilliseconds: (user + system) / 1000, peakKilobytes: maxRSS }),
);
