import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { givingBackAnnotation } from '../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { givingBackMessage } from '../../shared/passes/group-messages.ts';

/** Three empty nodes in a group with a base of one. No hold has ended, so that only the passes of the test give back. */
export async function emptyNodes(options: DroverWorldOptions): Promise<DroverWorld> {
  const world = createDroverWorld(options);
  await withWorkers(world, {
    size: 3,
    tags: { 'drover.dev/give-back-empty': 'true' },
    settings: { MinSize: 1, MaxSize: 5 },
  });
  await world.timeline.pass(400);
  return world;
}

/** One invocation, as where SQS hands the message out again while another invocation still works on it. */
export async function giveBack({ clock, lambda }: DroverWorld): Promise<void> {
  const noticedAt = new Date(clock.now()).toISOString();
  const message = givingBackMessage({ cause: 'give-back', autoScalingGroupName: 'workers', noticedAt });
  const at = String(clock.now());
  await lambda.invoke('node-leaving', {
    Records: [
      {
        messageId: '1',
        receiptHandle: '1',
        body: message.body,
        attributes: {
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: at,
          SentTimestamp: at,
          SenderId: 'drover',
          MessageGroupId: message.groupId,
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:LeavingQueue.fifo',
        awsRegion: 'eu-west-1',
      },
    ],
  });
}

export const nodesOf = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();

export const isKept = ({ spec, metadata }: ReturnType<typeof nodesOf>[number]): boolean =>
  spec?.unschedulable === true || metadata.annotations?.[givingBackAnnotation] !== undefined;

/** The nodes of instances that terminate, on which pods could still be placed. */
export const openWhileLeaving = (world: DroverWorld): readonly unknown[] => {
  const leaving = membersOf(world)
    .filter(({ LifecycleState }) => LifecycleState?.startsWith('Terminating'))
    .map(({ InstanceId }) => InstanceId);
  return nodesOf(world).filter(
    ({ spec }) => leaving.includes(instanceIdOf(spec?.providerID)) && spec?.unschedulable !== true,
  );
};
