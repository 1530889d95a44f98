import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { clusterTag } from '../../../../shared/groups/group.ts';
import { migratedTagKey } from '../../../../shared/groups/group-settings.ts';
import { listAll, nodeSchema } from '../../../../shared/kubernetes/lists.ts';
import { instanceIdOf } from '../../../../shared/nodes/node-names.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { observe } from '../../../adopt/observe/observe.ts';
import type { CliContext } from '../../../context.ts';
import { adoptFlagsOf, type NthFlags } from '../flags.ts';
import type { Handler, NthObservation } from '../observation.ts';
import { queueArnOf } from '../queue.ts';
import { textIn } from '../settings/settings.ts';
import { groupsWithTags, observeNthGroups } from './groups.ts';
import { handlerIn, handlerOfFile } from './handler.ts';
import { rulesOfQueue } from './rules.ts';

/** Reads what the handler is: from values of its chart, or from what runs. */
export const observeHandler = (
  { values }: NthFlags,
  { api }: Pick<AdoptAccess, 'api'>,
  context: Pick<CliContext, 'readFile'>,
): Promise<Handler> => (values === undefined ? handlerIn(api) : handlerOfFile(values, context));

/** Reads all that the plan depends on. Changes nothing. */
export async function observeNth(
  handler: Handler,
  flags: NthFlags,
  access: AdoptAccess,
): Promise<NthObservation> {
  const region = await access.autoScaling.client.config.region();
  const managedTag = textIn(handler.settings, 'managedTag');
  const url = textIn(handler.settings, 'queueURL');
  const queueArn = url === undefined ? undefined : queueArnOf(url, region);
  const { names, others } = await namesOf(flags, managedTag, access);
  const [adoption, rules] = await Promise.all([
    observe(names, adoptFlagsOf(flags), access),
    queueArn === undefined ? undefined : rulesOfQueue(access.events, queueArn),
  ]);
  return {
    handler,
    queueArn,
    rules,
    adoption,
    others,
    groups: await observeNthGroups(access, adoption.groups, managedTag),
  };
}

/** The groups of the plan: those that are named, or those of the cluster that have the tag or a record. */
async function namesOf(
  { group }: NthFlags,
  managedTag: string | undefined,
  access: AdoptAccess,
): Promise<{ readonly names: readonly string[]; readonly others: readonly string[] }> {
  const tagged = await groupsWithTags(access, [
    ...(managedTag === undefined ? [] : [managedTag]),
    migratedTagKey,
  ]);
  const { clusterName } = access.autoScaling;
  const nodes = await listAll(access.api, { path: '/api/v1/nodes', schema: nodeSchema });
  const nodeIds = new Set(nodes.map(({ spec }) => instanceIdOf(spec?.providerID)));
  const isOfCluster = ({ Tags = [], Instances = [] }: AutoScalingGroup): boolean =>
    Tags.some(({ Key }) => Key === clusterTag(clusterName)) ||
    Instances.some(({ InstanceId }) => nodeIds.has(InstanceId));
  const all = tagged.map(({ AutoScalingGroupName = '' }) => AutoScalingGroupName);
  const names =
    group ?? tagged.filter(isOfCluster).map(({ AutoScalingGroupName = '' }) => AutoScalingGroupName);
  return { names, others: all.filter((name) => !names.includes(name)) };
}
