import { nthManagedTag } from '../../../../shared/problems/second-drainer-problems.ts';

/** A setting of AWS Node Termination Handler, as pkg/config/config.go and the values of its chart name it (1.25.6). */
export interface Definition {
  readonly env: string;
  /** The key of the chart's values; undefined if only extraEnv sets it. */
  readonly key?: string;
  readonly type: 'boolean' | 'integer' | 'text';
  /** The program's default. */
  readonly fallback: string;
  /** The chart's default, if it is another one. */
  readonly chartFallback?: string;
}

const boolean = (env: string, key: string, fallback: boolean): Definition => ({
  env,
  key,
  type: 'boolean',
  fallback: String(fallback),
});

const integer = (env: string, key: string, fallback: number): Definition => ({
  env,
  key,
  type: 'integer',
  fallback: String(fallback),
});

const text = (env: string, key: string | undefined, fallback = ''): Definition => ({
  env,
  ...(key !== undefined && { key }),
  type: 'text',
  fallback,
});

/** The settings that decide how nodes leave. Log levels, ports and placement of its pods are not among them. */
export const definitions = {
  enableSqsTerminationDraining: boolean(
    'ENABLE_SQS_TERMINATION_DRAINING',
    'enableSqsTerminationDraining',
    false,
  ),
  checkTagBeforeDraining: boolean('CHECK_TAG_BEFORE_DRAINING', 'checkTagBeforeDraining', true),
  checkASGTagBeforeDraining: boolean('CHECK_ASG_TAG_BEFORE_DRAINING', 'checkASGTagBeforeDraining', true),
  managedTag: text('MANAGED_TAG', 'managedTag', nthManagedTag),
  managedAsgTag: text('MANAGED_ASG_TAG', 'managedAsgTag', nthManagedTag),
  queueURL: text('QUEUE_URL', 'queueURL'),
  nodeTerminationGracePeriod: integer('NODE_TERMINATION_GRACE_PERIOD', 'nodeTerminationGracePeriod', 120),
  podTerminationGracePeriod: integer('POD_TERMINATION_GRACE_PERIOD', 'podTerminationGracePeriod', -1),
  gracePeriod: integer('GRACE_PERIOD', 'gracePeriod', -1),
  heartbeatInterval: integer('HEARTBEAT_INTERVAL', 'heartbeatInterval', -1),
  heartbeatUntil: integer('HEARTBEAT_UNTIL', 'heartbeatUntil', -1),
  completeLifecycleActionDelaySeconds: integer(
    'COMPLETE_LIFECYCLE_ACTION_DELAY_SECONDS',
    'completeLifecycleActionDelaySeconds',
    -1,
  ),
  dryRun: boolean('DRY_RUN', 'dryRun', false),
  cordonOnly: boolean('CORDON_ONLY', 'cordonOnly', false),
  taintNode: boolean('TAINT_NODE', 'taintNode', false),
  taintEffect: text('TAINT_EFFECT', undefined, 'NoSchedule'),
  enableOutOfServiceTaint: boolean('ENABLE_OUT_OF_SERVICE_TAINT', 'enableOutOfServiceTaint', false),
  excludeFromLoadBalancers: boolean('EXCLUDE_FROM_LOAD_BALANCERS', 'excludeFromLoadBalancers', false),
  deleteLocalData: boolean('DELETE_LOCAL_DATA', 'deleteLocalData', true),
  ignoreDaemonSets: boolean('IGNORE_DAEMON_SETS', 'ignoreDaemonSets', true),
  webhookURL: text('WEBHOOK_URL', 'webhookURL'),
  emitKubernetesEvents: boolean('EMIT_KUBERNETES_EVENTS', 'emitKubernetesEvents', false),
  enablePrometheusServer: boolean('ENABLE_PROMETHEUS_SERVER', 'enablePrometheusServer', false),
  useProviderId: boolean('USE_PROVIDER_ID', 'useProviderId', false),
  deleteSqsMsgIfNodeNotFound: boolean(
    'DELETE_SQS_MSG_IF_NODE_NOT_FOUND',
    'deleteSqsMsgIfNodeNotFound',
    false,
  ),
  workers: integer('WORKERS', 'workers', 10),
  enableSpotInterruptionDraining: boolean(
    'ENABLE_SPOT_INTERRUPTION_DRAINING',
    'enableSpotInterruptionDraining',
    true,
  ),
  enableScheduledEventDraining: boolean(
    'ENABLE_SCHEDULED_EVENT_DRAINING',
    'enableScheduledEventDraining',
    true,
  ),
  enableASGLifecycleDraining: {
    ...boolean('ENABLE_ASG_LIFECYCLE_DRAINING', 'enableASGLifecycleDraining', false),
    chartFallback: 'true',
  },
  enableRebalanceMonitoring: boolean('ENABLE_REBALANCE_MONITORING', 'enableRebalanceMonitoring', false),
  enableRebalanceDraining: boolean('ENABLE_REBALANCE_DRAINING', 'enableRebalanceDraining', false),
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof definitions;

export const settingNames = Object.keys(definitions) as readonly SettingName[];

export const definitionOf = (name: SettingName): Definition => definitions[name];

/** The flag of the program: the variable's words with dashes. */
export const flagOf = ({ env }: Pick<Definition, 'env'>): string => env.toLowerCase().replaceAll('_', '-');
