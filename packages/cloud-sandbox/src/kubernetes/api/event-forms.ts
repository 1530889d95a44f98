/** By the name in events.k8s.io/v1: the name in the core group. Source: pkg/apis/events/v1/conversion.go. */
const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedCount: 'count',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
};

const ownNames = Object.fromEntries(Object.entries(coreNames).map(([own, core]) => [core, own]));

type Renamed = Readonly<Record<string, unknown>>;

/** An event of events.k8s.io/v1 as the core group has it. */
export const asCore = (event: object): Renamed => ({
  ...renamed(event, coreNames),
  kind: 'Event',
  apiVersion: 'v1',
});

/** An event of the core group as events.k8s.io/v1 has it. */
export const asEvent = (event: object): Renamed => ({
  ...renamed(event, ownNames),
  kind: 'Event',
  apiVersion: 'events.k8s.io/v1',
});

const renamed = (event: object, names: Readonly<Record<string, string>>): Renamed =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [names[name] ?? name, value]));
