import {
  DeleteAutoScalingGroupCommand,
  DeleteWarmPoolCommand,
  paginateDescribeAutoScalingGroups,
  ResumeProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DeleteLaunchTemplateCommand,
  DeleteNetworkInterfaceCommand,
  DeleteSubnetCommand,
  DeleteVolumeCommand,
  DeleteVpcCommand,
  paginateDescribeInstances,
  paginateDescribeLaunchTemplates,
  paginateDescribeNetworkInterfaces,
  paginateDescribeSubnets,
  paginateDescribeVolumes,
  paginateDescribeVpcs,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  DeleteTargetGroupCommand,
  paginateDescribeTargetGroups,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import {
  ChangeResourceRecordSetsCommand,
  DeleteHostedZoneCommand,
  GetHostedZoneCommand,
  ListResourceRecordSetsCommand,
  paginateListHostedZones,
} from '@aws-sdk/client-route-53';
import { DeleteQueueCommand, paginateListQueues } from '@aws-sdk/client-sqs';
import { DeleteParameterCommand, paginateDescribeParameters } from '@aws-sdk/client-ssm';
import type { AccountClients } from './clients.ts';
import { roleKind, ruleKind, scheduleGroupKind, scheduleKind } from './event-kinds.ts';
import { collect, type Kind, tagged, unlessGone } from './kind.ts';
import { isNameIn, isTaggedIn, markFilter, prefixOf, type Scope } from './mark.ts';
import { bucketKind, logGroupKind, stackKind } from './stack-kinds.ts';

const groupsOf = async ({ autoscaling: client }: AccountClients, scope: Scope) =>
  (
    await collect(
      paginateDescribeAutoScalingGroups({ client }, {}),
      ({ AutoScalingGroups }) => AutoScalingGroups,
    )
  ).filter(({ AutoScalingGroupName }) => isNameIn(scope, AutoScalingGroupName));

/**
 * By force: hooks would hold its instances for hours otherwise
 * (https://github.com/hashicorp/terraform-provider-aws/issues/5650). A suspended Terminate would keep them for ever (issue 5277 there), and
 * a warm pool the group (issue 33373).
 */
async function removeGroup(clients: AccountClients, name: string): Promise<void> {
  const { autoscaling } = clients;
  const [group] = (await groupsOf(clients, {})).filter(
    ({ AutoScalingGroupName }) => AutoScalingGroupName === name,
  );
  // AWS deletes it already.
  if (group === undefined || group.Status !== undefined) return;
  const AutoScalingGroupName = name;
  if ((group.SuspendedProcesses ?? []).length > 0)
    await autoscaling.send(new ResumeProcessesCommand({ AutoScalingGroupName }));
  if (group.WarmPoolConfiguration !== undefined && group.WarmPoolConfiguration.Status === undefined)
    await autoscaling.send(new DeleteWarmPoolCommand({ AutoScalingGroupName, ForceDelete: true }));
  await autoscaling.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName, ForceDelete: true }));
}

export const groupKind: Kind = {
  name: 'Auto Scaling group',
  list: async (clients, scope) =>
    (await groupsOf(clients, scope)).flatMap(({ AutoScalingGroupName }) => AutoScalingGroupName ?? []),
  remove: (clients, id) => unlessGone(removeGroup(clients, id)),
};

/** States of an instance that still holds its subnet. */
const alive = ['pending', 'running', 'stopping', 'stopped', 'shutting-down'];

const instanceKind: Kind = {
  name: 'instance',
  list: ({ ec2: client }, scope) => {
    const Filters = [markFilter(scope), { Name: 'instance-state-name', Values: alive }];
    return collect(paginateDescribeInstances({ client }, { Filters }), ({ Reservations }) =>
      Reservations?.flatMap(({ Instances = [] }) =>
        tagged(scope, Instances).map(({ InstanceId }) => InstanceId),
      ),
    );
  },
  remove: ({ ec2 }, id) => unlessGone(ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }))),
};

/** Volumes and interfaces that are attached end with their instance. */
const volumeKind: Kind = {
  name: 'volume',
  list: ({ ec2: client }, scope) =>
    collect(paginateDescribeVolumes({ client }, { Filters: [markFilter(scope)] }), ({ Volumes }) =>
      tagged(scope, Volumes)
        .filter(({ State }) => State !== 'in-use')
        .map(({ VolumeId }) => VolumeId),
    ),
  remove: ({ ec2 }, id) => unlessGone(ec2.send(new DeleteVolumeCommand({ VolumeId: id }))),
};

/** One that is left keeps its subnet and the VPC: https://github.com/eksctl-io/eksctl/issues/7589 */
const interfaceKind: Kind = {
  name: 'network interface',
  list: ({ ec2: client }, scope) =>
    collect(
      paginateDescribeNetworkInterfaces({ client }, { Filters: [markFilter(scope)] }),
      ({ NetworkInterfaces }) =>
        NetworkInterfaces?.filter(
          ({ Status, TagSet }) => Status === 'available' && isTaggedIn(scope, { Tags: TagSet }),
        ).map(({ NetworkInterfaceId }) => NetworkInterfaceId),
    ),
  remove: ({ ec2 }, id) =>
    unlessGone(ec2.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId: id }))),
};

const templateKind: Kind = {
  name: 'launch template',
  heldBy: ['Auto Scaling group'],
  list: ({ ec2: client }, scope) =>
    collect(
      paginateDescribeLaunchTemplates({ client }, { Filters: [markFilter(scope)] }),
      ({ LaunchTemplates }) => tagged(scope, LaunchTemplates).map(({ LaunchTemplateId }) => LaunchTemplateId),
    ),
  remove: ({ ec2 }, id) => unlessGone(ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: id }))),
};

const targetGroupKind: Kind = {
  name: 'target group',
  heldBy: ['Auto Scaling group'],
  list: ({ elasticloadbalancing: client }, scope) =>
    collect(paginateDescribeTargetGroups({ client }, {}), ({ TargetGroups }) =>
      TargetGroups?.filter(({ TargetGroupName }) => isNameIn(scope, TargetGroupName)).map(
        ({ TargetGroupArn }) => TargetGroupArn,
      ),
    ),
  remove: ({ elasticloadbalancing }, id) =>
    unlessGone(elasticloadbalancing.send(new DeleteTargetGroupCommand({ TargetGroupArn: id }))),
};

const queueKind: Kind = {
  name: 'queue',
  heldBy: ['stack'],
  list: ({ sqs: client }, scope) =>
    collect(paginateListQueues({ client }, { QueueNamePrefix: prefixOf(scope) }), ({ QueueUrls }) =>
      QueueUrls?.filter((url) => isNameIn(scope, url.split('/').at(-1))),
    ),
  remove: ({ sqs }, id) => unlessGone(sqs.send(new DeleteQueueCommand({ QueueUrl: id }))),
};

const parameterKind: Kind = {
  name: 'parameter',
  heldBy: ['stack'],
  list: ({ ssm: client }, scope) => {
    const prefix = prefixOf(scope);
    // Drover's own are below /drover/CLUSTER, and the cluster of a run is called as its stack without drover-.
    const Values = [prefix, `/${prefix}`, `/${prefix.replace('-', '/')}`];
    const ParameterFilters = [{ Key: 'Name', Option: 'BeginsWith', Values }];
    return collect(paginateDescribeParameters({ client }, { ParameterFilters }), ({ Parameters }) =>
      Parameters?.map(({ Name }) => Name).filter((name) => isNameIn(scope, name)),
    );
  },
  remove: ({ ssm }, id) => unlessGone(ssm.send(new DeleteParameterCommand({ Name: id }))),
};

/** A zone is deleted once it has only the record sets that Route 53 made. */
async function removeZone(clients: Pick<AccountClients, 'route53'>, Id: string): Promise<void> {
  const { route53 } = clients;
  const { ResourceRecordSets = [], IsTruncated } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: Id }),
  );
  const Changes = ResourceRecordSets.filter(({ Type }) => Type !== 'NS' && Type !== 'SOA').map(
    (ResourceRecordSet) => ({ Action: 'DELETE' as const, ResourceRecordSet }),
  );
  if (Changes.length > 0)
    await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: Id, ChangeBatch: { Changes } }));
  if (IsTruncated === true) return await removeZone(clients, Id);
  await route53.send(new DeleteHostedZoneCommand({ Id }));
}

/** Route 53 is global: a zone of a VPC elsewhere may be of a run that is in progress there. One that has gone meanwhile is nowhere. */
async function isZoneHere({ route53 }: AccountClients, Id: string | undefined): Promise<boolean> {
  const region = await route53.config.region();
  let isHere = false;
  const look = async (): Promise<void> => {
    const { VPCs = [] } = await route53.send(new GetHostedZoneCommand({ Id }));
    isHere = VPCs.some(({ VPCRegion }) => VPCRegion === region);
  };
  await unlessGone(look());
  return isHere;
}

/** A run makes private zones only. A run that is named is looked for in one region, and has no zones elsewhere. */
export const zoneKind: Kind = {
  name: 'hosted zone',
  list: async (clients, scope) => {
    const ids = await collect(paginateListHostedZones({ client: clients.route53 }, {}), ({ HostedZones }) =>
      HostedZones?.filter(({ Name, Config }) => Config?.PrivateZone === true && isNameIn(scope, Name)).map(
        ({ Id }) => Id,
      ),
    );
    if (scope.run !== undefined) return ids;
    const isHere = await Promise.all(ids.map((id) => isZoneHere(clients, id)));
    return ids.filter((_id, index) => isHere[index]);
  },
  remove: (clients, id) => unlessGone(removeZone(clients, id)),
};

const subnetKind: Kind = {
  name: 'subnet',
  heldBy: ['Auto Scaling group', 'instance', 'network interface'],
  list: ({ ec2: client }, scope) =>
    collect(paginateDescribeSubnets({ client }, { Filters: [markFilter(scope)] }), ({ Subnets }) =>
      tagged(scope, Subnets).map(({ SubnetId }) => SubnetId),
    ),
  remove: ({ ec2 }, id) => unlessGone(ec2.send(new DeleteSubnetCommand({ SubnetId: id }))),
};

const vpcKind: Kind = {
  name: 'VPC',
  heldBy: ['subnet', 'target group', 'hosted zone'],
  list: ({ ec2: client }, scope) =>
    collect(paginateDescribeVpcs({ client }, { Filters: [markFilter(scope)] }), ({ Vpcs }) =>
      tagged(scope, Vpcs).map(({ VpcId }) => VpcId),
    ),
  remove: ({ ec2 }, id) => unlessGone(ec2.send(new DeleteVpcCommand({ VpcId: id }))),
};

/** In the order of removal: holders come first. */
export const kinds: readonly Kind[] = [
  stackKind,
  groupKind,
  instanceKind,
  volumeKind,
  interfaceKind,
  templateKind,
  targetGroupKind,
  queueKind,
  parameterKind,
  ruleKind,
  scheduleKind,
  scheduleGroupKind,
  roleKind,
  logGroupKind,
  bucketKind,
  zoneKind,
  subnetKind,
  vpcKind,
];
