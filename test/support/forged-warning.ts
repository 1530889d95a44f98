import type { DroverWorld } from '../../local/world/drover-world.ts';

type Forged = [instanceId: string, over?: Readonly<Record<string, unknown>>];

/** A Spot warning about the instance, or another event with these fields, as anyone can write it. */
export const forgedWarning = ({ account, clock }: DroverWorld, ...[instanceId, over = {}]: Forged): string =>
  JSON.stringify({
    id: `forged-${instanceId}`,
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    account: account.accountId,
    region: account.region,
    time: new Date(clock.now()).toISOString(),
    detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
    ...over,
  });

/** Sends it as anyone can who may send to the inbox. */
export function warn(world: DroverWorld, ...forged: Forged): void {
  const { controls } = world.account.sqs;
  const queue = controls.queueNames().find((name) => name.endsWith('-InboxQueue')) ?? '';
  controls.send(queue, { MessageBody: forgedWarning(world, ...forged) });
}
