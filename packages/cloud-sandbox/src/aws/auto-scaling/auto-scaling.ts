import type { Ec2 } from '../ec2/ec2.ts';
import type { Deliver, PutAwsEvent, ServiceParts } from '../integration.ts';
import { keepPast, noPast, type Past } from '../past.ts';
import type { AwsService } from '../service.ts';
import { accountSettingOperations, defaultAccountSettings } from './account-settings.ts';
import { attachmentOperations } from './attachment.ts';
import { reconcileCapacity, releaseLeaving } from './capacity.ts';
import { type AutoScalingControls, createControls } from './controls.ts';
import { describeOperations } from './describe.ts';
import { removeDeleted } from './group-deletion.ts';
import { groupOperations } from './group-operations.ts';
import { hookOperations } from './hook-operations.ts';
import { replaceExpired } from './instance-lifetime.ts';
import { instanceOperations } from './instance-operations.ts';
import { instanceRefreshOperations } from './instance-refresh.ts';
import { pastWorld } from './past-world.ts';
import { processOperations } from './process-operations.ts';
import { continueRefresh } from './refresh-steps.ts';
import { scheduledActionOperations } from './scheduled-action-operations.ts';
import { standbyOperations } from './standby.ts';
import { tagOperations } from './tag-operations.ts';
import { targetGroupOperations } from './target-group-operations.ts';
import { instanceStateChanged, rebalanceRecommended } from './transitions.ts';
import { reconcileWarmPool } from './warm-pool.ts';
import { warmPoolOperations } from './warm-pool-operations.ts';
import type { AutoScalingTimings, AutoScalingWorld, Reconciler, TargetRegistry } from './world.ts';
import { rebalanceZones } from './zone-rebalance.ts';

export interface AutoScalingOptions extends ServiceParts {
  readonly ec2: Ec2;
  readonly putAwsEvent: PutAwsEvent;
  /** To the notification targets of hooks. */
  readonly deliver: Deliver;
  /** Elastic Load Balancing; without it no group can name a target group. */
  readonly targets?: TargetRegistry;
  readonly timings?: Partial<AutoScalingTimings>;
  /**
   * Whether a heartbeat extends a wait by the timeout that its hook has now. AWS does not document whether changes of a hook reach
   * waits that have begun. By default they do not.
   */
  readonly hookChangesReachWaits?: boolean;
  /** Remembers what groups and instances were, for reads that are behind. */
  readonly keepsPast?: boolean;
}

const defaultTimings: AutoScalingTimings = {
  reconcileSeconds: 1,
  stepSeconds: 1,
  healthCheckSeconds: 30,
  launchRetrySeconds: 15,
};

const operationsOf = (world: AutoScalingWorld, past: Past<AutoScalingWorld>) => ({
  ...groupOperations(world),
  ...describeOperations(world, past),
  ...instanceOperations(world),
  ...hookOperations(world),
  ...tagOperations(world),
  ...standbyOperations(world),
  ...attachmentOperations(world),
  ...processOperations(world),
  ...scheduledActionOperations(world),
  ...warmPoolOperations(world),
  ...instanceRefreshOperations(world),
  ...targetGroupOperations(world),
  ...accountSettingOperations(world),
});

/**
 * Amazon EC2 Auto Scaling: groups, the lifecycle of their instances, and hooks with their wait states.
 *
 * Kept and shown, but without effect: cooldowns, HealthCheckType ELB, placement and zone settings.
 * With instance weights, standby, attachments, warm pools and the pace of a refresh still count instances. Not here: launch configurations, scaling policies,
 * alarms, checkpoints and rollback of an instance refresh, LaunchInstances, Classic Load Balancers.
 */
export interface AutoScaling extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  readonly controls: AutoScalingControls;
}

export function createAutoScaling(options: AutoScalingOptions): AutoScaling {
  const world = createWorld(options);
  const reconcilers: Reconciler[] = [
    (group) => reconcileCapacity(world, group),
    (group) => reconcileWarmPool(world, group),
    (group) => releaseLeaving(world, group),
    (group) => continueRefresh(world, group),
    (group) => replaceExpired(world, group),
    (group) => rebalanceZones(world, group),
    (group) => removeDeleted(world, group),
  ];
  world.reconcilers.push(...reconcilers);
  options.ec2.onInstanceStateChange((instance) => instanceStateChanged(world, instance));
  options.ec2.onRebalanceRecommendation((instance) => rebalanceRecommended(world, instance));
  const past = options.keepsPast ? keepPast(world.clock, () => pastWorld(world)) : noPast;
  return {
    signingName: 'autoscaling',
    operations: operationsOf(world, past),
    controls: createControls(world),
  };
}

function createWorld(options: AutoScalingOptions): AutoScalingWorld {
  const { clock, random, accountId, region, ec2, putAwsEvent, deliver, targets } = options;
  return {
    clock,
    random,
    accountId,
    region,
    ec2,
    putAwsEvent,
    deliver,
    targets,
    timings: { ...defaultTimings, ...options.timings },
    hookChangesReachWaits: options.hookChangesReachWaits ?? false,
    groups: new Map(),
    members: new Map(),
    actions: new Map(),
    accountSettings: defaultAccountSettings(),
    formerActivities: [],
    reconcilers: [],
  };
}
