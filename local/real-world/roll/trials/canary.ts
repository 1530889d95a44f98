import { setTimeout as sleep } from 'node:timers/promises';
import { crashesAnnotation } from '@drover/cloud-sandbox/real/kubernetes/nodes/kwok.ts';
import { listItems, patchItem, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { runDroverIn } from '../../terminal.ts';
import {
  begin,
  idsOf,
  leavingIn,
  members,
  nodesOf,
  require,
  requireDone,
  type TrialStage,
  untilClean,
  untilOneLeaves,
  untilState,
  untilWhole,
} from './stage.ts';

const podsPath = '/api/v1/namespaces/shop/pods';

const podsOn = async ({ world }: TrialStage, nodeName: string): Promise<readonly string[]> =>
  (await listItems<Pod>(world.admin, `${podsPath}?fieldSelector=spec.nodeName=${nodeName}`))
    .filter(({ metadata }) => metadata?.labels?.['app']?.startsWith('web-'))
    .map(({ metadata }) => metadata?.uid ?? '')
    .toSorted();

/** One old instance is the price: it keeps its pods, and the roll stops. */
export async function canaryThatNeverJoins(stage: TrialStage): Promise<void> {
  const { world, rolling } = stage;
  const before = idsOf(stage);
  const name = 'never-joins';
  stage.setJoins(false);
  await begin(stage, name);
  await untilOneLeaves(stage);
  const [leaving = ''] = leavingIn(stage);
  const node = (await nodesOf(stage)).find(({ spec }) => spec?.providerID?.endsWith(leaving));
  const pods = await podsOn(stage, node?.metadata?.name ?? '');
  const reason = await untilState(stage, name, 'stopped');
  require(/has not joined, although it has had \d+ s/.test(reason), 'the reason names what has not joined');
  await untilClean(stage, name);
  require(leavingIn(stage).join() === leaving, 'one instance leaves, and no other');
  require((await podsOn(stage, node?.metadata?.name ?? '')).join() ===
    pods.join(), 'the pods of the node that leaves have stayed');
  stage.setJoins(true);
  for (const { InstanceId = '' } of members(stage).filter(
    ({ InstanceId = '', LifecycleState }) => LifecycleState === 'InService' && !before.includes(InstanceId),
  ))
    world.cloud.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: false,
    });
  await rolling.until('a replacement that joins', 120, () => !idsOf(stage).includes(leaving));
  await runDroverIn(world, ['roll', 'resume', name]);
  await requireDone(stage, name, before);
}

/** Every pod that starts on a new node crashes, as with a broken image of the node. */
export async function canaryWhosePodsCrash(stage: TrialStage): Promise<void> {
  const { world } = stage;
  const before = idsOf(stage);
  const old = new Set((await nodesOf(stage)).map(({ metadata }) => metadata?.name));
  const crashing = crashPods(stage, ({ spec }) => spec?.nodeName !== undefined && !old.has(spec.nodeName));
  const name = 'crashes';
  try {
    await begin(stage, name);
    const reason = await untilState(stage, name, 'stopped');
    require(reason.includes(' is in CrashLoopBackOff, and '), 'the reason names the crash');
    await untilClean(stage, name);
    require(before.filter((id) => !idsOf(stage).includes(id)).length <=
      1, 'at most one old instance is gone');
  } finally {
    await crashing.stop();
  }
  const label = encodeURIComponent('app!=load');
  await requestOf(world.admin, {
    method: 'DELETE',
    path: `${podsPath}?labelSelector=${label},${crashesLabel}`,
  });
  await untilWhole(stage);
  await runDroverIn(world, ['roll', 'resume', name]);
  await requireDone(stage, name, before);
}

const crashesLabel = 'example.com/crashes';

/** What their kubelet would report of a container that it starts again and again. */
function crashPods({ world }: TrialStage, crashes: (pod: Pod) => boolean): { stop(): Promise<void> } {
  const ending = new AbortController();
  const done = new Set<string>();
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      for (const pod of await listItems<Pod>(world.admin, podsPath)) {
        const { metadata: { name = '', uid = '', labels = {}, deletionTimestamp } = {}, status } = pod;
        if (!crashes(pod) || done.has(uid) || !status?.podIP || deletionTimestamp) continue;
        if (labels['app']?.startsWith('web-') !== true) continue;
        done.add(uid);
        await patchItem(world.admin, `${podsPath}/${name}`, {
          metadata: { annotations: { [crashesAnnotation]: 'true' }, labels: { [crashesLabel]: 'true' } },
        });
        await patchItem(world.admin, `${podsPath}/${name}/status`, { status: crashLoop(status) });
      }
      await sleep(100);
    }
  };
  const working = work();
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
  };
}

const crashLoop = ({ conditions = [], containerStatuses = [] }: NonNullable<Pod['status']>) => ({
  conditions: conditions.map((condition) =>
    ['Ready', 'ContainersReady'].includes(condition.type) ? { ...condition, status: 'False' } : condition,
  ),
  containerStatuses: containerStatuses.map((container) => ({
    ...container,
    ready: false,
    started: false,
    restartCount: 4,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
  })),
});
