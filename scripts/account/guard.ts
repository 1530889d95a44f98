import { paginateDescribeAutoScalingGroups } from '@aws-sdk/client-auto-scaling';
import { paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { paginateListClusters } from '@aws-sdk/client-eks';
import type { AccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import { isNameIn, isTaggedIn } from '@drover/cloud-sandbox/real/account/mark.ts';
import { listMarked } from '@drover/cloud-sandbox/real/account/sweep.ts';
import { type SweepPlace, sweepCommand } from './sweep-command.ts';

/** What is in a region before a run. */
export interface Found {
  /** Groups, instances and clusters that no run has made, by kind and name. */
  readonly foreign: readonly string[];
  /** What an earlier run, or one that still runs, has made. */
  readonly marked: readonly string[];
}

/** Why no run may begin in a region; undefined if one may. */
export function refusalFor({ foreign, marked }: Found, place: SweepPlace): string | undefined {
  const { region, profile, endpoint, speed } = place;
  if (foreign.length > 0)
    return `${region} is in use: ${some(foreign)}. A run needs a region without Auto Scaling groups, instances and EKS clusters. Choose another region, or another account.`;
  if (marked.length > 0)
    return `another run has left or still uses ${some(marked)} in ${region}. If none is running in any region, look at what it is, and remove it with --yes: ${sweepCommand({ region, profile, endpoint, speed }, { isSure: false })}`;
  return undefined;
}

const some = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

/** Reads the region, also instances that have stopped. */
export async function inspect(clients: AccountClients): Promise<Found> {
  const [groups, instances, clusters, marked] = await Promise.all([
    foreignGroups(clients),
    foreignInstances(clients),
    foreignClusters(clients),
    listMarked({ clients, scope: {} }),
  ]);
  return {
    foreign: [...groups, ...instances, ...clusters],
    // A role may be of a run in any region: IAM is global. Its name has the id of its run, so it is in no one's way.
    marked: marked.filter(({ kind }) => kind !== 'role').map(({ kind, id }) => `${kind} ${id}`),
  };
}

const isForeign = (name: string): boolean => !isNameIn({}, name);

async function foreignGroups({ autoscaling: client }: AccountClients): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { AutoScalingGroups = [] } of paginateDescribeAutoScalingGroups({ client }, {}))
    found.push(...AutoScalingGroups.flatMap(({ AutoScalingGroupName }) => AutoScalingGroupName ?? []));
  return found.filter(isForeign).map((name) => `Auto Scaling group ${name}`);
}

async function foreignInstances({ ec2: client }: AccountClients): Promise<readonly string[]> {
  const states = ['pending', 'running', 'stopping', 'stopped', 'shutting-down'];
  const Filters = [{ Name: 'instance-state-name', Values: states }];
  const found: string[] = [];
  for await (const { Reservations = [] } of paginateDescribeInstances({ client }, { Filters }))
    for (const { Instances = [] } of Reservations)
      for (const instance of Instances)
        if (!isTaggedIn({}, instance)) found.push(`instance ${instance.InstanceId}`);
  return found;
}

async function foreignClusters({ eks: client }: AccountClients): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { clusters = [] } of paginateListClusters({ client }, {})) found.push(...clusters);
  return found.map((name) => `EKS cluster ${name}`);
}
