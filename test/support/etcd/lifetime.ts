import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { createRandom, type Random } from '@drover/cloud-sandbox/simulation';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { type DroverWorld, membersOf, terminate } from '../../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService, lastProblem, markIn, untilWhole } from '../../../local/world/etcd/expectations.ts';
import { quorumOf } from '../../../shared/etcd/next-step.ts';
import { deleteMark, operatorInTime } from './operator.ts';

/** The life broke a rule of the design. */
export class EtcdViolation extends Error {
  override readonly name = 'EtcdViolation';
}

const events = [
  'terminate',
  'kill',
  'restart',
  'terminate-all',
  'resize',
  'operator',
  'lost-mark',
  'learner',
] as const;

/**
 * One seeded life of a control plane: bootstrapped, then replaced, killed and resized while calls fail, hang and come late, and while an
 * operator runs commands at wrong moments. Throws
 * an EtcdViolation if a rule is broken, or if the cluster is not whole four simulated hours after an event. Each call that hangs
 * costs three minutes.
 */
export async function liveEtcd(seed: number): Promise<void> {
  const random = createRandom(seed);
  const watch = createWatch();
  const world: DroverWorld = createEtcdDroverWorld({
    seed,
    duplicateChance: 0.2,
    weather: {
      strike: strikes(random),
      latencyMilliseconds: () => random.integer(0, 300),
      onCall: (call) => watch.onCall(call, world),
    },
  });
  let size = random.pick([1, 3, 3, 5]);
  addEtcdGroup(world, { size, heartbeatTimeoutSeconds: 1800 });
  for (let round = 0; round <= random.integer(1, 4); round += 1) {
    await untilWholeAndLawful(world, size, watch);
    size = await happen(world, random, size);
    if (random.next() < 0.3) await operate(world, random);
    await world.timeline.pass(random.integer(1, 400));
  }
  await untilWholeAndLawful(world, size, watch);
}

/** One call in twenty goes wrong somehow. */
const strikes =
  (random: Random) =>
  ({ caller }: CallInFlight): Strike | undefined => {
    if (caller !== 'etcd-membership' && caller !== 'intake') return undefined;
    if (random.next() > 0.05) return undefined;
    return { kind: random.pick(['fail-before', 'fail-after', 'kill-before', 'kill-after'] as const) };
  };

async function happen(world: DroverWorld, random: Random, size: number): Promise<number> {
  const all = inService(world);
  const one = random.pick([...all]);
  switch (random.pick(events)) {
    case 'terminate':
      terminate(world, one);
      return size;
    case 'terminate-all':
      for (const instanceId of all) terminate(world, instanceId);
      return size;
    case 'kill':
      // Killing the only member loses its data, which an operator must repair.
      if (size > 1) world.account.ec2.accidents.kill(one);
      return size;
    case 'restart':
      world.etcd.world.kill(one);
      world.clock.after(random.integer(1, 120) * 1000, () => world.etcd.world.start(one));
      return size;
    case 'resize': {
      const next = random.pick([1, 3, 5]);
      world.account.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: 'etcd',
        DesiredCapacity: next,
      });
      return next;
    }
    case 'operator':
      await operate(world, random);
      return size;
    case 'learner':
      await answerAsLearner(world, random, one);
      return size;
    case 'lost-mark':
      await loseMark(world, random, one);
      return size;
  }
}

/** Commands that must change nothing for the worse while a cluster lives, whatever just happened to it. */
async function operate(world: DroverWorld, random: Random): Promise<void> {
  const clusterId = idIn(world);
  await operatorInTime(world)(
    random.pick([
      `rebirth --cluster-id ${clusterId}`,
      `rebirth --cluster-id ${clusterId} --dns-only`,
      'rebirth --forming',
      'cleanup',
      'adopt --cluster-id bad',
      `adopt --cluster-id ${clusterId}`,
    ]),
  );
}

/** An operator deletes the mark, an instance leaves, and minutes later the cluster is adopted. */
async function loseMark(world: DroverWorld, random: Random, leaving: string): Promise<void> {
  const clusterId = idIn(world);
  deleteMark(world);
  terminate(world, leaving);
  await world.timeline.pass(random.integer(60, 900));
  if (inGroup(world, leaving) === undefined)
    throw new EtcdViolation(`${leaving} was let go while the domain had no mark and it voted`);
  const adopted = await operatorInTime(world)(`adopt --cluster-id ${clusterId}`);
  if (adopted.exitCode !== 0) throw new EtcdViolation(`the cluster could not be adopted: ${adopted.stderr}`);
}

/**
 * A member answers as a learner although the list says that it votes (etcd-io/etcd#18347), perhaps while another one is replaced, until
 * the operator restarts etcd there. Drover reports it, and neither removes the member nor takes it for one that serves.
 */
async function answerAsLearner(world: DroverWorld, random: Random, instanceId: string): Promise<void> {
  const found = world.etcd.world.running().find((one) => one.instanceId === instanceId);
  if (!found?.serves || found.leads || found.members.length < 3) return;
  world.etcd.world.supposeLearner(instanceId);
  const [other] = inService(world).filter((id) => id !== instanceId);
  if (other !== undefined && random.next() < 0.5) terminate(world, other);
  await world.timeline.pass(random.integer(1200, 2400));
  const { members = [] } = world.etcd.world.running().find((one) => one.instanceId === instanceId) ?? {};
  if (!members.some(({ id }) => id === found.memberId))
    throw new EtcdViolation(`${instanceId} was removed because it answers as a learner`);
  if (!lastProblem(world)?.includes(`${instanceId}: the list of members says that its member votes`))
    throw new EtcdViolation(`no problem names ${instanceId}: ${lastProblem(world)}`);
  world.etcd.world.kill(instanceId);
  world.etcd.world.start(instanceId);
}

const idIn = (world: DroverWorld): string => BigInt([...clustersOf(world).keys()][0] ?? 0).toString(16);

const inGroup = (world: DroverWorld, instanceId: string) =>
  membersOf(world, 'etcd').find(({ InstanceId }) => InstanceId === instanceId);

type Watch = ReturnType<typeof createWatch>;

function createWatch() {
  let clusterId: string | undefined;
  let firstSet: readonly string[] = [];
  return {
    onCall: ({ to, what }: CallInFlight, world: DroverWorld) => {
      if (to === 'etcd' && what.endsWith('/member/remove')) checkRemoval(world);
    },
    /** Checks the current state of the world. */
    check: (world: DroverWorld) => {
      const ids = [...clustersOf(world).keys()];
      if (ids.length > 1) throw new EtcdViolation(`there are ${ids.length} clusters`);
      const [id] = ids;
      if (id !== undefined && clusterId !== undefined && id !== clusterId)
        throw new EtcdViolation(`cluster ${clusterId} became ${id}`);
      clusterId ??= id;
      const mark = markIn(world);
      if (typeof mark === 'object' && mark.birth.kind === 'forming') firstSet = mark.birth.set;
      checkStates(world, firstSet);
    },
  };
}

/** Only members of the first set ever start as new. */
function checkStates(world: DroverWorld, firstSet: readonly string[]): void {
  for (const { InstanceId = '' } of membersOf(world, 'etcd')) {
    const state = world.account.ssm.controls.value(`/drover/drover/etcd/members/${InstanceId}`);
    if (state?.includes('"state":"new"') && firstSet.length > 0 && !firstSet.includes(InstanceId))
      throw new EtcdViolation(`${InstanceId} was published as new`);
  }
}

/** A removal needs a cluster in which a majority of the members that vote serves clients. */
function checkRemoval(world: DroverWorld): void {
  const serving = world.etcd.world.running().filter((one) => one.serves);
  const voters = serving[0]?.members.filter(({ isLearner }) => !isLearner) ?? [];
  const votes = voters.filter(({ id }) => serving.some(({ memberId }) => memberId === id)).length;
  if (votes < quorumOf(voters.length) || votes === 0)
    throw new EtcdViolation(`a member is removed while ${votes} of ${voters.length} serve`);
}

async function untilWholeAndLawful(world: DroverWorld, size: number, watch: Watch): Promise<void> {
  await untilWhole(world, size, { withinSeconds: 14_400, onLook: () => watch.check(world) });
}
