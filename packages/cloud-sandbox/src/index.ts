/** One simulated account with a cluster on its instances: in process, on a clock of its own. */

export type { Account } from './cloud/account.ts';
export { addGroup, type GroupPlan } from './cloud/add-group.ts';
export { type Cloud, type CloudOptions, type CloudParts, createCloud } from './cloud/cloud.ts';
export { RefusedDelivery } from './cloud/delivery.ts';
export type { EtcdMachines, EtcdUserData } from './cloud/etcd-members.ts';
export { instanceMetadata } from './cloud/instance-metadata.ts';
export { isWrite } from './cloud/is-write.ts';
export type { KubeletsOptions } from './cloud/kubelets.ts';
export type { CallInFlight, Latency, PollerStrike, Strike, Weather } from './cloud/strike.ts';
export type {
  AlarmWiring,
  AsynchronousWiring,
  EventSourceMappingWiring,
  FunctionWiring,
  IgnoredPart,
  MetricQuery,
  PermissionWiring,
  PolicyDocument,
  QueueWiring,
  RoleWiring,
  RouteWiring,
  RuleWiring,
  ScheduleGroupWiring,
  TopicWiring,
  Wiring,
} from './cloud/wiring.ts';
export type { UnawaitedWork } from './lambda/life.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
