import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { terminate } from '../../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService, statusTagIn, untilWhole } from '../../../local/world/etcd/expectations.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A group of etcd members forms a cluster, snapshots are taken, one member is replaced, and a malformed message is parked. */
export const etcd: Story = async (options) => {
  const world = createEtcdDroverWorld({ ...options, snapshotBucket: 'snapshots' });
  addEtcdGroup(world, { size: 3 });
  const end = await endOf(async () => {
    await untilWhole(world, 3, { withinSeconds: 900 });
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    await untilWhole(world, 3, { withinSeconds: 900 });
    await park(world);
  });
  return [...end, ...complaints(world)];
};

/** A member of three does not answer while another leaves, and the group says what that waits for. */
export const etcdProblem: Story = async (options) => {
  const world = createEtcdDroverWorld({ ...options, snapshotBucket: 'snapshots' });
  addEtcdGroup(world, { size: 3 });
  return await endOf(async () => {
    await untilWhole(world, 3, { withinSeconds: 900 });
    const [silent = '', leaving = ''] = inService(world);
    world.etcd.world.kill(silent);
    terminate(world, leaving);
    await world.timeline.until(() => statusTagIn(world) !== undefined, {
      withinSeconds: 900,
      what: 'the problem on the group',
    });
  });
};

async function park({ account, timeline, wiring }: ReturnType<typeof createEtcdDroverWorld>): Promise<void> {
  const queueOf = (part: RegExp) => wiring.queues.find(({ queueName }) => part.test(queueName));
  const [queue, parked] = [queueOf(/EtcdQueue/), queueOf(/EtcdDeadLetter/)];
  account.sqs.controls.send(queue?.queueArn ?? '', {
    MessageBody: 'not for Drover',
    MessageGroupId: 'nobody',
    MessageDeduplicationId: 'once',
  });
  const isParked = (): boolean => {
    const { Attributes } = account.sqs.operations.GetQueueAttributes({
      QueueUrl: parked?.queueUrl ?? '',
      AttributeNames: ['ApproximateNumberOfMessages'],
    });
    return Attributes?.['ApproximateNumberOfMessages'] === '1';
  };
  await timeline.until(isParked, { withinSeconds: 300, what: 'the message parked' });
}
