import { listItems, patchItem } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { runDroverIn } from '../../terminal.ts';
import {
  begin,
  group,
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
  want,
} from './stage.ts';

/** A budget allows nothing for a while: its pods stay, and the roll goes on by itself once it allows one again. */
export async function budgetThatBlocks(stage: TrialStage): Promise<void> {
  const { world, rolling, say } = stage;
  const { name, app, before } = await beginBeside(stage);
  const budget = `/apis/policy/v1/namespaces/shop/poddisruptionbudgets/${app}`;
  await patchItem(world.admin, budget, { spec: { maxUnavailable: 0 } });
  const podsOf = async (): Promise<string> =>
    (await listItems<Pod>(world.admin, `/api/v1/namespaces/shop/pods?labelSelector=app=${app}`))
      .map(({ metadata }) => metadata?.uid ?? '')
      .toSorted()
      .join();
  // An eviction that was allowed before counts no more.
  const pods = await podsOf();
  await rolling.until(
    `a roll that waits for the budget ${app}`,
    180,
    () => rolling.seen(name)?.reason.includes(`budget ${app} holds`) === true,
  );
  say(`${app} holds it: ${rolling.seen(name)?.reason}`);
  const held = idsOf(stage);
  await stage.hold();
  require(rolling.seen(name)?.state === 'running', 'the roll runs while a budget holds it');
  require((await podsOf()) === pods, 'no pod of the budget has moved');
  require(idsOf(stage).join() === held.join(), 'no other node was taken meanwhile');
  await patchItem(world.admin, budget, { spec: { maxUnavailable: 1 } });
  await requireDone(stage, name, before);
}

interface Begun {
  readonly name: string;
  /** A workload without a pod on the first node that leaves. */
  readonly app: string;
  /** The instances before the roll. */
  readonly before: readonly string[];
}

/** Begins a roll. If the first node that leaves has a pod of every workload, as happens with three nodes, it aborts that roll and begins another. */
async function beginBeside(stage: TrialStage): Promise<Begun> {
  for (const name of ['blocked', 'blocked-2', 'blocked-3', 'blocked-4']) {
    const before = idsOf(stage);
    await begin(stage, name);
    await untilOneLeaves(stage);
    const app = await appOfStayingNodes(stage);
    if (app !== undefined) return { name, app, before };
    want(stage, name, 'aborted');
    await untilState(stage, name, 'aborted');
    await untilClean(stage, name);
    await untilWhole(stage);
  }
  throw new Error('every workload has a pod on each node that leaves');
}

async function appOfStayingNodes(stage: TrialStage): Promise<string | undefined> {
  const leaving = new Set(leavingIn(stage));
  const names = new Set(
    (await nodesOf(stage))
      .filter(({ spec }) => leaving.has(spec?.providerID?.split('/').at(-1) ?? ''))
      .map(({ metadata }) => metadata?.name),
  );
  const pods = await listItems<Pod>(stage.world.admin, '/api/v1/namespaces/shop/pods');
  return stage.rolling.workloads.find((one) =>
    pods
      .filter(({ metadata }) => metadata?.labels?.['app'] === one)
      .every(({ spec }) => !names.has(spec?.nodeName)),
  );
}

/** The API server is away in the middle of a leave. Its clients keep the endpoints that they know. */
export async function apiServerAway(stage: TrialStage): Promise<void> {
  const { world, say } = stage;
  const before = idsOf(stage);
  const name = 'away';
  await begin(stage, name);
  await untilOneLeaves(stage);
  await world.controlPlane.apiServer.stop();
  say('the API server is away');
  const held = idsOf(stage);
  await stage.hold();
  require(held.every((id) => idsOf(stage).includes(id)), 'no instance has gone without its drain');
  await world.controlPlane.apiServer.start();
  say('the API server is back');
  await requireDone(stage, name, before);
}

/** The launch template changes in the middle: nothing more goes until people have asked for the new version. */
export async function templateThatChanges(stage: TrialStage): Promise<void> {
  const { world, rolling } = stage;
  const before = idsOf(stage);
  const name = 'changed';
  await begin(stage, name);
  await untilOneLeaves(stage);
  const { LaunchTemplateVersion } = world.cloud.account.ec2.operations.CreateLaunchTemplateVersion({
    LaunchTemplateName: group,
    SourceVersion: '$Latest',
    LaunchTemplateData: { ImageId: 'ami-00000000000000002' },
  });
  const version = String(LaunchTemplateVersion?.VersionNumber);
  const reason = await untilState(stage, name, 'paused');
  require(reason.includes(`-> v${version}`), 'the reason names the versions');
  await rolling.until('the end of the leave', 120, () => leavingIn(stage).length === 0);
  const held = idsOf(stage);
  await stage.hold();
  require(idsOf(stage).join() === held.join(), 'nothing was replaced while it was paused');
  await runDroverIn(world, ['roll', 'resume', name, '--retarget']);
  await requireDone(stage, name, before);
  require(members(stage).every(
    ({ LaunchTemplate }) => LaunchTemplate?.Version === version,
  ), 'every instance is of the new version');
}
