import type { Wiring } from './wiring.ts';

/** An account in which nothing is deployed. */
export const noWiring = (place: Pick<Wiring, 'accountId' | 'region'>): Wiring => ({
  ...place,
  stackName: 'none',
  functions: [],
  roles: [],
  queues: [],
  rules: [],
  eventSourceMappings: [],
  routes: [],
  permissions: [],
  topics: [],
  scheduleGroups: [],
  alarms: [],
  outputs: {},
  ignored: [],
});
