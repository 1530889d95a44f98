import type { UnawaitedWork } from '@drover/cloud-sandbox';
import { documentedLimits, type RequestLimits } from '@drover/cloud-sandbox/aws';
import type { Dice } from './dice.ts';

/** How a world is for a whole lifetime. */
export interface Conditions {
  /** What happens to work that a function did not await. Defaults to running to its end. */
  readonly unawaitedWork?: UnawaitedWork;
  /** How far the clocks of the functions and of the cluster are from AWS's, in seconds. Defaults to 0. */
  readonly clockOffsetSeconds: Readonly<Record<string, number>>;
  /** Whether a heartbeat takes up the timeout that its hook has by now: AWS does not say. */
  readonly hookChangesReachWaits: boolean;
  /** A new instance takes the address of one that has terminated, and with it the name. */
  readonly addressesComeBack?: true;
  /** How fast AWS may be called. Defaults to as fast as a caller likes. */
  readonly requestLimits?: RequestLimits;
}

const parts = ['kubernetes', 'intake', 'node-leaving', 'sweep'] as const;
/** As far apart as two clocks may be: half of it to each side of AWS's. */
const mostSeconds = 45;

export const planConditions = (dice: Dice): Conditions => ({
  ...dice.maybe(0.6, () => ({
    unawaitedWork: dice.pick<UnawaitedWork>(['is-lost', 'resumes-at-next-invocation']),
  })),
  clockOffsetSeconds: dice.chance(0.3)
    ? Object.fromEntries(parts.map((part) => [part, dice.integer(-mostSeconds, mostSeconds)]))
    : {},
  hookChangesReachWaits: dice.chance(0.5),
});

/** In half of the lifetimes AWS refuses calls that come too fast. Its limits for Auto Scaling are not published, so they are drawn. */
export const planRequestLimits = (dice: Dice): Pick<Conditions, 'requestLimits'> => ({
  ...dice.maybe(0.5, () => ({
    requestLimits: {
      ...documentedLimits,
      autoScaling: {
        changes: { burst: dice.integer(5, 20), perSecond: dice.integer(2, 10) },
        reads: { burst: dice.integer(5, 20), perSecond: dice.integer(2, 10) },
      },
    },
  })),
});

/**
 * The same with clocks of kubelets at most ten seconds behind EC2's, which a join allows (`clockSkewMilliseconds`). Real kubelets report
 * again after five minutes; simulated ones do not, so their Nodes would seem to be from before the launch for ever.
 */
export function withPunctualKubelets(conditions: Conditions): Conditions {
  const { kubernetes = 0, ...others } = conditions.clockOffsetSeconds;
  return { ...conditions, clockOffsetSeconds: { ...others, kubernetes: Math.max(-10, kubernetes) } };
}
