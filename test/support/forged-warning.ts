import type { DroverWorld } from '../../local/world/drover-world.ts';

/** A Spot warning about the instance, or another event, as anyone can write it who can send to the inbox. */
export function warn(
  { account, clock }: DroverWorld,
  instanceId: string,
  over: Readonly<Record<string, unknown>> = {},
): void {
  const queue = account.sqs.controls.queueNames().find((name) => name.endsWith('-InboxQueue')) ?? '';
  account.sqs.controls.send(queue, {
    MessageBody: JSON.stringify({
      id: `forged-${instanceId}`,
      source: 'aws.ec2',
      'detail-type': 'EC2 Spot Instance Interruption Warning',
      account: account.accountId,
      region: account.region,
      time: new Date(clock.now()).toISOString(),
      detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
      ...over,
    }),
  });
}
