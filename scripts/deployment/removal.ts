import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type DroverStack, securityGroupsOf } from './live-stack.ts';
import type { ClientConfig } from './osls.ts';
import { referrersOf } from './referrers.ts';
import { instancesThatWait, queuesThatHold } from './waiting.ts';

const letThemFinish =
  'Without Drover these instances stay until their hooks time out, undrained. Let them finish (`drover status`), ' +
  'empty the dead-letter queues, and remove again.';
const revoke =
  'EC2 does not delete a security group that something else uses, and the stack would stay half removed. Revoke these rules ' +
  '(`aws ec2 revoke-security-group-ingress`, `-egress`), and remove again.';

/** What forbids the removal of a stack now, each with what to do. */
export async function reasonsAgainstRemoval(
  config: ClientConfig,
  stack: DroverStack,
): Promise<readonly string[]> {
  const [instances, queues, referrers] = await Promise.all([
    instancesThatWait(new AutoScalingClient(config), stack),
    // To the endpoint that the operator has chosen (AWS_ENDPOINT_URL), whatever host a queue's URL names.
    queuesThatHold(new SQSClient({ ...config, useQueueUrlAsEndpoint: false }), stack),
    securityGroupsOf(config, stack).then((groups) => referrersOf(new EC2Client(config), groups)),
  ]);
  const reason = (what: string, found: readonly string[], remedy: string): readonly string[] =>
    found.length === 0 ? [] : [`Not removed, because ${what}:\n  ${found.join('\n  ')}\n${remedy}`];
  return [
    ...reason('something waits for Drover', [...instances, ...queues], letThemFinish),
    ...reason('something else uses its security groups', referrers, revoke),
  ];
}
