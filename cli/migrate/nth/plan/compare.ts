import type { Ownership } from '../settings/critical.ts';
import { definitionOf, type SettingName, settingNames } from '../settings/definitions.ts';
import { flagIn, type NthSettings, numberIn, type Value } from '../settings/settings.ts';

/** `same`: Drover does that too. `tag`: a tag of the group says it to Drover. `differs`: Drover does something else. `none`: nothing like it. */
export type Likeness = 'same' | 'tag' | 'differs' | 'none';

/** One setting of the handler, and what Drover does instead. */
export interface SettingRow {
  readonly setting: string;
  readonly value: string;
  readonly likeness: Likeness;
  readonly drover: string;
}

type Judge = (settings: NthSettings) => readonly [Likeness, string] | undefined;

const whenOn =
  (name: SettingName, likeness: Likeness, drover: string): Judge =>
  (settings) =>
    flagIn(settings, name) === true ? [likeness, drover] : undefined;

const ofQueue: Partial<Readonly<Record<SettingName, Judge>>> = {
  checkTagBeforeDraining: (settings) =>
    flagIn(settings, 'checkTagBeforeDraining') === true
      ? ['same', 'the tags drover.dev/role and kubernetes.io/cluster/NAME of the group']
      : ['differs', 'Drover drains only groups with its tags'],
  managedTag: () => ['differs', 'tags of the group, not of its instances'],
  queueURL: () => ['same', 'the rules and queues of the deployment'],
  completeLifecycleActionDelaySeconds: (settings) =>
    (numberIn(settings, 'completeLifecycleActionDelaySeconds') ?? -1) > 0
      ? ['differs', 'Drover waits until the volumes are detached, for five minutes at most']
      : undefined,
  heartbeatInterval: (settings) =>
    (numberIn(settings, 'heartbeatInterval') ?? -1) > 0
      ? [
          'tag',
          'Drover always sends heartbeats; drover.dev/drain-timeout is as long as its heartbeats lasted',
        ]
      : undefined,
  heartbeatUntil: (settings) =>
    (numberIn(settings, 'heartbeatUntil') ?? -1) > 0 ? ['tag', 'drover.dev/drain-timeout'] : undefined,
  useProviderId: whenOn('useProviderId', 'same', 'Drover finds each Node by its providerID'),
  deleteSqsMsgIfNodeNotFound: whenOn(
    'deleteSqsMsgIfNodeNotFound',
    'differs',
    'Drover ends the wait of an instance without a Node by itself: docs/operating.md#whose-node-it-is',
  ),
  workers: (settings) => [
    'differs',
    `the parameters maxLeavingPerGroup (50) and maxLeavingPerCluster (100), and the tag drover.dev/max-leaving, instead of ${numberIn(settings, 'workers') ?? 'its number of'} workers`,
  ],
};

const ofNodes: Partial<Readonly<Record<SettingName, Judge>>> = {
  enableSpotInterruptionDraining: (settings) =>
    onEvents(settings, 'enableSpotInterruptionDraining', 'Spot interruptions'),
  enableScheduledEventDraining: (settings) =>
    onEvents(settings, 'enableScheduledEventDraining', 'scheduled maintenance'),
  enableASGLifecycleDraining: whenOn(
    'enableASGLifecycleDraining',
    'differs',
    'a lifecycle hook, which holds the instance until its node is drained',
  ),
  enableRebalanceMonitoring: whenOn(
    'enableRebalanceMonitoring',
    'none',
    'Drover does not cordon without a drain; drover.dev/drain-on-rebalance=true drains',
  ),
  enableRebalanceDraining: whenOn('enableRebalanceDraining', 'tag', 'drover.dev/drain-on-rebalance=true'),
};

const onEvents = (settings: NthSettings, name: SettingName, what: string): readonly [Likeness, string] =>
  flagIn(settings, name) === false
    ? ['differs', `Drover always drains on ${what}`]
    : ['same', `Drover drains on ${what}`];

const ofBoth: Partial<Readonly<Record<SettingName, Judge>>> = {
  enableSqsTerminationDraining: (settings) =>
    flagIn(settings, 'enableSqsTerminationDraining') === true
      ? ['same', 'Drover reads events of EventBridge from queues too']
      : ['differs', 'Drover reads events of EventBridge, and runs no pods'],
  nodeTerminationGracePeriod: () => [
    'differs',
    'it gives up a drain after that time and begins again; Drover drains until drover.dev/drain-timeout and then deletes the pods that are left',
  ],
  podTerminationGracePeriod: (settings) =>
    (numberIn(settings, 'podTerminationGracePeriod') ?? -1) >= 0
      ? ['none', 'each pod gets its own terminationGracePeriodSeconds']
      : ['same', 'each pod gets its own terminationGracePeriodSeconds'],
  dryRun: whenOn('dryRun', 'differs', 'it drains nothing now; Drover will'),
  cordonOnly: whenOn('cordonOnly', 'none', 'Drover always drains'),
  taintNode: whenOn('taintNode', 'none', 'Drover cordons, and marks the Node with an annotation and a label'),
  enableOutOfServiceTaint: whenOn(
    'enableOutOfServiceTaint',
    'none',
    'Drover waits until the volumes are detached',
  ),
  excludeFromLoadBalancers: (settings) =>
    flagIn(settings, 'excludeFromLoadBalancers') === true
      ? ['same', 'Drover always does']
      : ['differs', 'Drover always excludes a leaving Node from load balancers'],
  deleteLocalData: (settings) => bySameTag(settings, 'deleteLocalData', 'drover.dev/delete-emptydir-data'),
  ignoreDaemonSets: (settings) => bySameTag(settings, 'ignoreDaemonSets', 'drover.dev/ignore-daemonsets'),
  webhookURL: (settings) =>
    settings.webhookURL.kind === 'known' && settings.webhookURL.value === ''
      ? undefined
      : [
          'differs',
          'the parameter chatWebhookSecret, notificationTopic or notificationEmail: docs/notifications.md',
        ],
  emitKubernetesEvents: (settings) =>
    flagIn(settings, 'emitKubernetesEvents') === true
      ? ['same', 'Drover records Events of the Node with reasons of its own']
      : undefined,
  enablePrometheusServer: whenOn(
    'enablePrometheusServer',
    'differs',
    'metrics and alarms of CloudWatch: docs/operating.md#alarms',
  ),
};

const bySameTag = (settings: NthSettings, name: SettingName, tag: string): readonly [Likeness, string] =>
  flagIn(settings, name) === false ? ['tag', `${tag}=false`] : ['same', `the default of ${tag}`];

/** Setting by setting, what the handler does and what Drover does. Settings that are off and that Drover does not have are left out. Pure. */
export function compareSettings(
  settings: NthSettings,
  ownership: Ownership | undefined,
): readonly SettingRow[] {
  const judges = { ...ofBoth, ...(ownership?.kind === 'nodes' ? ofNodes : ofQueue) };
  return settingNames.flatMap((name) => {
    const judged = judges[name]?.(settings);
    if (judged === undefined) return [];
    const [likeness, drover] = judged;
    return [
      {
        setting: definitionOf(name).key ?? definitionOf(name).env,
        value: shown(name, settings[name]),
        likeness,
        drover,
      },
    ];
  });
}

/** The URL of a webhook is a secret: it lets its holder post to the chat. */
function shown(name: SettingName, value: Value<string | number | boolean>): string {
  if (value.kind === 'hidden') return `(from ${value.from})`;
  if (value.kind === 'invalid') return `${value.text} (not ${value.allowed})`;
  return name === 'webhookURL' ? '(set)' : String(value.value);
}
