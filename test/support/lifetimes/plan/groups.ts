import type { Dice } from './dice.ts';

/** An Auto Scaling group of a lifetime, as its operator would have made it. */
export interface PlannedGroup {
  readonly autoScalingGroupName: string;
  readonly size: number;
  readonly spot: boolean;
  /** Timeout of Drover's termination hook; undefined if the group has no such hook. */
  readonly heartbeatTimeoutSeconds?: number;
  /** Its instances wait on Drover's launch hook, and its kubelets ask for their certificates. */
  readonly launchHook?: PlannedLaunchHook;
  readonly etcdHook: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly retainsAbandoned: boolean;
  /** Seconds of deregistration; absent: no target group. */
  readonly deregistrationSeconds?: number;
  /** False: its nodes are in the cluster, but it lacks a role, so that Drover does not manage it. */
  readonly managed: boolean;
  /** Its kubelets never register. */
  readonly joins: boolean;
  /** Defaults to workers. */
  readonly role?: 'control-plane';
  /** Its instance maintenance policy launches the replacement of an Unhealthy instance before that one is terminated. */
  readonly launchesFirst?: true;
  /** How its Nodes are called. */
  readonly nodeNames: 'private-dns' | 'instance-id' | 'own' | 'used-again';
}

export interface PlannedLaunchHook {
  readonly heartbeatTimeoutSeconds: number;
  /** From the registration of a Node until it is Ready. */
  readonly readyDelaySeconds: number;
}

const drainTimeouts = [30, 30, 45, 60, 90, 120, 180, 600] as const;

function planTags(dice: Dice): Readonly<Record<string, string>> {
  return {
    'drover.dev/drain-timeout': String(dice.pick(drainTimeouts)),
    ...dice.maybe(0.3, () => ({ 'drover.dev/on-failure': dice.pick(['CONTINUE', 'ABANDON']) })),
    ...dice.maybe(0.5, () => ({ 'drover.dev/max-leaving': String(dice.pick([1, 1, 2])) })),
    ...dice.maybe(0.3, () => ({ 'drover.dev/drain-on-rebalance': 'true' })),
    ...dice.maybe(0.1, () => ({ 'drover.dev/delete-emptydir-data': 'false' })),
    ...dice.maybe(0.1, () => ({ 'drover.dev/force': 'false' })),
    ...dice.maybe(0.1, () => ({ 'drover.dev/max-leaving': 'several' })),
  };
}

function planGroup(dice: Dice, index: number, size: number): PlannedGroup {
  const managed = index === 0 || dice.chance(0.85);
  return {
    autoScalingGroupName: managed ? `workers-${index}` : `foreign-${index}`,
    size,
    spot: dice.chance(0.35),
    ...dice.maybe(0.8, () => ({
      heartbeatTimeoutSeconds: dice.pick([30, 60, 120, 300, 300, 900, 3600]),
    })),
    etcdHook: dice.chance(0.15),
    tags: planTags(dice),
    retainsAbandoned: dice.chance(0.2),
    ...dice.maybe(0.2, () => ({ deregistrationSeconds: dice.integer(5, 90) })),
    managed,
    joins: dice.chance(0.95),
    nodeNames: dice.pick(['private-dns', 'private-dns', 'instance-id', 'own']),
  };
}

/** One to four groups of together one to twelve nodes. */
export function planGroups(dice: Dice): readonly PlannedGroup[] {
  const count = dice.integer(1, 4);
  const nodes = dice.integer(count, 12);
  return Array.from({ length: count }, (_, index) => {
    const rest = index < nodes % count ? 1 : 0;
    return planGroup(dice, index, Math.floor(nodes / count) + rest);
  });
}
