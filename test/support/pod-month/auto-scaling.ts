import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import type { Bounds } from '../../../shared/capacity/groups.ts';
import { GroupsError } from '../../../shared/capacity/groups.ts';
import type { Launch } from '../../../shared/capacity/schedules/measured-lead.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import type { Dice } from '../lifetimes/plan/dice.ts';
import type { Cluster } from './cluster.ts';
import type { Weather } from './weather.ts';

const second = 1000;
/** As `joinTimeout`: an instance whose node has not joined by then stays in service, or is abandoned. */
export const joinTimeoutSeconds = 720;
/** A node that never becomes Ready is replaced by then. */
const replacedAfterSeconds = 3600;

interface Instance {
  readonly id: string;
  state: 'Pending:Wait' | 'InService' | 'Standby' | 'Terminating:Wait';
}

interface Group {
  minSize: number;
  maxSize: number;
  desiredCapacity: number;
  instances: Instance[];
}

interface AutoScalingParts {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly cluster: Cluster;
  readonly weather: Weather;
  /** Called when the room of a group changes by something else than Drover or an autoscaler. */
  readonly onDisturbed: (group: string) => void;
}

/** Auto Scaling groups whose instances become nodes of the cluster, with a launching and a terminating hook. */
export type AutoScaling = ReturnType<typeof createAutoScaling>;

export function createAutoScaling({ clock, dice, cluster, weather, onDisturbed }: AutoScalingParts) {
  const groups = new Map<string, Group>();
  const launches = new Map<string, Launch[]>();
  const history: { readonly at: number; readonly seen: readonly AutoScalingGroup[] }[] = [];
  let launched = 0;

  const groupOf = (name: string): Group => {
    const group = groups.get(name);
    if (group === undefined) throw new GroupsError('gone', `group ${name} not found`);
    return group;
  };
  const counting = ({ instances }: Group): readonly Instance[] =>
    instances.filter(({ state }) => state === 'Pending:Wait' || state === 'InService');
  const isPresent = (name: string, instance: Instance): boolean =>
    groups.get(name)?.instances.includes(instance) ?? false;

  function note(): void {
    const seen = [...groups].map(([name, group]) => described(name, group));
    const last = history.at(-1);
    if (last?.at === clock.now()) history.pop();
    history.push({ at: clock.now(), seen });
    while ((history[1]?.at ?? Infinity) < clock.now() - 60 * second) history.shift();
  }

  /** Launches what the desired capacity lacks, and terminates what it has too much. */
  function reconcile(name: string): void {
    const group = groups.get(name);
    if (group === undefined) return;
    while (counting(group).length < group.desiredCapacity && !weather.has('no-launches')) launch(name, group);
    while (counting(group).length > group.desiredCapacity) {
      const present = counting(group);
      const victim = present.find(({ state }) => state === 'Pending:Wait') ?? dice.pick(present);
      leave(name, victim);
    }
    note();
  }

  function launch(name: string, group: Group): void {
    launched += 1;
    const instance: Instance = { id: `i-${launched.toString(16).padStart(17, '0')}`, state: 'Pending:Wait' };
    group.instances.push(instance);
    const startedAt = clock.now();
    const later = (seconds: number, task: () => void): void => {
      clock.after(seconds * second, () => {
        if (isPresent(name, instance) && instance.state !== 'Terminating:Wait') task();
      });
    };
    const registersAfter = dice.integer(40, 120);
    const becomesReady = !(weather.has('bad-nodes') && dice.chance(0.5));
    if (!becomesReady && dice.chance(0.5)) {
      later(joinTimeoutSeconds, () => leave(name, instance));
      return;
    }
    later(registersAfter, () => {
      cluster.addNode({
        name: `node-${instance.id}`,
        instanceId: instance.id,
        pool: name,
        createdAt: clock.now(),
        isReady: false,
        isCordoned: false,
        isLeaving: false,
      });
    });
    if (becomesReady)
      later(registersAfter + dice.integer(20, 120), () => {
        const node = cluster.nodeOf(instance.id);
        if (node) node.isReady = true;
        instance.state = 'InService';
        const known = launches.get(name) ?? [];
        launches.set(name, [...known, { startedAt, endedAt: clock.now() }].slice(-30));
        note();
      });
    else {
      later(joinTimeoutSeconds, () => {
        instance.state = 'InService';
        onDisturbed(name);
        note();
      });
      later(replacedAfterSeconds, () => leave(name, instance));
    }
  }

  /** Its node is drained, which takes minutes and now and then most of an hour. */
  function leave(name: string, instance: Instance): void {
    instance.state = 'Terminating:Wait';
    const node = cluster.nodeOf(instance.id);
    if (node) {
      node.isCordoned = true;
      node.isLeaving = true;
    }
    const isBusy = node !== undefined && cluster.podsOn(node.name).length > 0;
    const drained = isBusy ? dice.integer(10, dice.chance(0.2) ? 2400 : 240) : 1;
    clock.after(drained * second, () => {
      if (node) cluster.evict(node.name);
      if (isBusy) onDisturbed(name);
    });
    clock.after((drained + 20) * second, () => {
      if (node) cluster.deleteNode(node.name);
      const group = groups.get(name);
      if (group) group.instances = group.instances.filter((one) => one !== instance);
      note();
    });
    reconcile(name);
  }

  const find = (name: string, id: string): Instance => {
    const instance = groupOf(name).instances.find((one) => one.id === id);
    if (instance === undefined) throw new GroupsError('gone', `instance ${id} not found`);
    return instance;
  };

  return {
    create: (name: string, { minSize, maxSize }: Bounds): void => {
      groups.set(name, { minSize, maxSize, desiredCapacity: minSize, instances: [] });
      reconcile(name);
    },
    /** Its instances are gone at once, with all that runs there. */
    delete: (name: string): void => {
      for (const { id } of groups.get(name)?.instances ?? []) {
        const node = cluster.nodeOf(id);
        if (node) cluster.deleteNode(node.name);
      }
      groups.delete(name);
      note();
    },
    sizes: (name: string): Omit<Group, 'instances'> | undefined => groups.get(name),
    instances: (name: string): readonly Readonly<Instance>[] => groups.get(name)?.instances ?? [],
    /** The instance counts towards the desired capacity and serves. */
    isInService: (id: string): boolean =>
      [...groups.values()].some(({ instances }) =>
        instances.some((one) => one.id === id && one.state === 'InService'),
      ),
    launches: (name: string): readonly Launch[] => launches.get(name) ?? [],
    /** What a read shows that is so old. */
    seen: (staleSeconds: number): readonly AutoScalingGroup[] =>
      (history.findLast(({ at }) => at <= clock.now() - staleSeconds * second) ?? history.at(-1))?.seen ?? [],
    /** As UpdateAutoScalingGroup: the desired capacity moves to the nearer bound. */
    update: (name: string, changes: Partial<Bounds> & { readonly desiredCapacity?: number }): void => {
      const group = groupOf(name);
      const { minSize = group.minSize, maxSize = group.maxSize } = changes;
      if (minSize > maxSize) throw new GroupsError('invalid', 'Max bound must be at least min bound');
      const desired = changes.desiredCapacity ?? group.desiredCapacity;
      const desiredCapacity = Math.max(minSize, Math.min(maxSize, desired));
      Object.assign(group, { minSize, maxSize, desiredCapacity });
      reconcile(name);
    },
    terminate: (name: string, id: string, { replaces }: { readonly replaces: boolean }): void => {
      const group = groupOf(name);
      if (!replaces) group.desiredCapacity -= 1;
      leave(name, find(name, id));
    },
    enterStandby: (name: string, id: string): void => {
      find(name, id).state = 'Standby';
      reconcile(name);
    },
    exitStandby: (name: string, id: string): void => {
      const instance = groups.get(name)?.instances.find((one) => one.id === id);
      if (instance?.state !== 'Standby') return;
      const group = groupOf(name);
      instance.state = 'InService';
      group.desiredCapacity = Math.min(group.maxSize, group.desiredCapacity + 1);
      reconcile(name);
    },
    /** Tries failed launches again. */
    retry: (): void => {
      for (const name of groups.keys()) reconcile(name);
    },
    isQuiet: (): boolean =>
      [...groups.values()].every(
        (group) =>
          group.instances.length === group.desiredCapacity &&
          group.instances.every(({ state }) => state === 'InService'),
      ),
  };
}

const described = (autoScalingGroupName: string, group: Group): AutoScalingGroup => ({
  autoScalingGroupName,
  tags: {
    'kubernetes.io/cluster/drover': 'owned',
    'drover.dev/role': 'worker',
    'k8s.io/cluster-autoscaler/node-template/label/pool': autoScalingGroupName,
  },
  minSize: group.minSize,
  maxSize: group.maxSize,
  desiredCapacity: group.desiredCapacity,
  instances: group.instances.map(({ id, state }) => ({
    instanceId: id,
    lifecycleState: state,
    availabilityZone: 'eu-west-1a',
    healthy: true,
  })),
  targetGroupArns: [],
  retainsAbandoned: false,
  availabilityZones: ['eu-west-1a'],
});
