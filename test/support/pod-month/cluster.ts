import type { Dice } from '../lifetimes/plan/dice.ts';

/** Thousandths of a CPU that a node has for pods. */
export const nodeCpu = 3900;

/** Thousandths of a CPU that one pod of each Deployment requests, and the pool of nodes that it selects, which is the name of a group. */
export const apps = {
  web: { cpu: 500, pool: 'workers' },
  api: { cpu: 900, pool: 'workers' },
  other: { cpu: 700, pool: 'workers' },
  report: { cpu: 1200, pool: 'batch' },
  cache: { cpu: 400, pool: 'batch' },
} as const;

export type App = keyof typeof apps;
export const appNames = Object.keys(apps) as readonly App[];

export interface LivingNode {
  readonly name: string;
  readonly instanceId: string;
  readonly pool: string;
  readonly createdAt: number;
  isReady: boolean;
  isCordoned: boolean;
  /** Drover's mark: its pods will be evicted. */
  isLeaving: boolean;
}

export interface LivingPod {
  readonly name: string;
  readonly app: App;
  nodeName?: string;
  isTerminating: boolean;
}

/** Nodes, Deployments, their pods, and a scheduler that binds one pod at a time. */
export type Cluster = ReturnType<typeof createCluster>;

export function createCluster(dice: Dice) {
  const nodes = new Map<string, LivingNode>();
  const replicas = new Map<App, number>();
  let pods: LivingPod[] = [];
  let created = 0;

  const podsOn = (name: string): readonly LivingPod[] => pods.filter(({ nodeName }) => nodeName === name);
  const freeOn = (name: string): number =>
    nodeCpu - podsOn(name).reduce((sum, { app }) => sum + apps[app].cpu, 0);
  const isOpen = ({ isReady, isCordoned, isLeaving }: LivingNode): boolean =>
    isReady && !isCordoned && !isLeaving;
  const remove = (gone: ReadonlySet<LivingPod>): void => {
    pods = pods.filter((pod) => !gone.has(pod));
  };

  /** Creates what Deployments lack, and terminates their surplus: pods without a node first, then any. */
  function control(): void {
    for (const app of appNames) {
      const own = pods.filter((pod) => pod.app === app && !pod.isTerminating);
      const wanted = replicas.get(app) ?? 0;
      for (let count = own.length; count < wanted; count += 1) {
        created += 1;
        pods.push({ name: `${app}-${created}`, app, isTerminating: false });
      }
      let surplus = own.toSorted((one, other) => Number(!!one.nodeName) - Number(!!other.nodeName));
      for (let count = own.length; count > wanted; count -= 1) {
        const [waiting] = surplus;
        const victim = waiting?.nodeName === undefined ? waiting : dice.pick(surplus);
        if (victim === undefined) break;
        surplus = surplus.filter((pod) => pod !== victim);
        victim.isTerminating = true;
      }
    }
  }

  /** Binds each pod that has a place: to the node with the most room, or now and then to any. */
  function schedule(): void {
    for (const pod of pods) {
      if (pod.nodeName !== undefined || pod.isTerminating) continue;
      const { cpu, pool } = apps[pod.app];
      const fitting = [...nodes.values()].filter(
        (node) => node.pool === pool && isOpen(node) && freeOn(node.name) >= cpu,
      );
      if (fitting.length === 0) continue;
      const emptiest = fitting.reduce((one, other) => (freeOn(other.name) > freeOn(one.name) ? other : one));
      pod.nodeName = (dice.chance(0.8) ? emptiest : dice.pick(fitting)).name;
    }
  }

  return {
    nodes: (): readonly LivingNode[] => [...nodes.values()],
    pods: (): readonly LivingPod[] => pods,
    podsOn,
    freeOn,
    isOpen,
    /** The pods of a Deployment that a node runs and that stay. */
    bound: (app: App): readonly LivingPod[] =>
      pods.filter((pod) => pod.app === app && pod.nodeName !== undefined && !pod.isTerminating),
    scale: (app: App, count: number): void => {
      replicas.set(app, count);
    },
    replicas: (app: App): number => replicas.get(app) ?? 0,
    addNode: (node: LivingNode): void => {
      nodes.set(node.name, node);
    },
    nodeOf: (instanceId: string): LivingNode | undefined =>
      [...nodes.values()].find((node) => node.instanceId === instanceId),
    /** Evicts the pods of a node. Their Deployments make others. */
    evict: (name: string): void => remove(new Set(podsOn(name))),
    deleteNode: (name: string): void => {
      remove(new Set(podsOn(name)));
      nodes.delete(name);
    },
    /** What controllers and the scheduler do within seconds. */
    settle: (): void => {
      remove(new Set(pods.filter(({ isTerminating }) => isTerminating)));
      control();
      schedule();
    },
    /** Whether nothing is on its way to be bound. */
    isQuiet: (): boolean =>
      pods.every(({ nodeName, isTerminating }) => nodeName !== undefined && !isTerminating) &&
      appNames.every((app) => pods.filter((pod) => pod.app === app).length === (replicas.get(app) ?? 0)),
  };
}
