import {
  type AutoScalingClient,
  type AutoScalingGroup,
  type Instance,
  paginateDescribeAutoScalingGroups,
  paginateDescribeWarmPool,
} from '@aws-sdk/client-auto-scaling';
import { GetQueueAttributesCommand, paginateListQueues, type SQSClient } from '@aws-sdk/client-sqs';
import type { DroverStack } from './live-stack.ts';

const counted = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

async function messagesIn(sqs: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...counted] }),
  );
  return counted.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
}

/** The stack's queues that hold messages, dead letters included: `NAME holds N message(s)`. */
export async function queuesThatHold(sqs: SQSClient, { stackName }: DroverStack): Promise<readonly string[]> {
  const held: string[] = [];
  // CloudFormation names a queue after the stack and its logical id. The stack of another stage may begin with the same name.
  const ours = new RegExp(`/${stackName}-\\w+Queue-[^/]+$`);
  for await (const { QueueUrls = [] } of paginateListQueues(
    { client: sqs },
    { QueueNamePrefix: `${stackName}-` },
  ))
    for (const queueUrl of QueueUrls.filter((url) => ours.test(url))) {
      const count = await messagesIn(sqs, queueUrl);
      if (count > 0) held.push(`${queueUrl.split('/').at(-1)} holds ${count} message(s)`);
    }
  return held;
}

/** The cluster's instances that wait on a lifecycle hook: `INSTANCE of GROUP is in STATE`. */
export async function instancesThatWait(
  autoScaling: AutoScalingClient,
  { clusterName }: DroverStack,
): Promise<readonly string[]> {
  const waiting: string[] = [];
  const tagged = { Filters: [{ Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] }] };
  for await (const { AutoScalingGroups = [] } of paginateDescribeAutoScalingGroups(
    { client: autoScaling },
    tagged,
  ))
    for (const group of AutoScalingGroups)
      for (const { InstanceId, LifecycleState } of [
        ...(group.Instances ?? []),
        ...(await pooled(autoScaling, group)),
      ])
        if (LifecycleState?.endsWith(':Wait'))
          waiting.push(`${InstanceId} of ${group.AutoScalingGroupName} is in ${LifecycleState}`);
  return waiting;
}

/** The instances of the group's warm pool, which the group itself does not list. */
async function pooled(
  client: AutoScalingClient,
  { AutoScalingGroupName, WarmPoolConfiguration }: AutoScalingGroup,
): Promise<readonly Instance[]> {
  if (!WarmPoolConfiguration) return [];
  const instances: Instance[] = [];
  for await (const page of paginateDescribeWarmPool({ client }, { AutoScalingGroupName }))
    instances.push(...(page.Instances ?? []));
  return instances;
}
