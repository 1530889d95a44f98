import { scaleRoutes } from '../../../shared/scale-api/scale-api.ts';

const unused = () => Promise.reject(new Error('no route is called here'));

/** Every route, over a context that no call may use. */
export const everyRoute = scaleRoutes({
  clusterName: 'drover',
  leavingHookName: 'drover-node-leaving',
  joiningHookName: 'drover-node-joining',
  groups: {
    listGroups: unused,
    describeGroup: unused,
    describeHooks: unused,
    listActivities: unused,
    readFailedLaunch: unused,
    readLaunches: unused,
    readNodegroup: unused,
    setCapacity: unused,
    setBounds: unused,
    terminateInstance: unused,
  },
  cluster: { listNodes: unused },
  onClusterFailure: () => undefined,
  recordChange: () => undefined,
  holds: () => {
    throw new Error('no route is called here');
  },
  schedules: () => {
    throw new Error('no route is called here');
  },
  bootstrap: undefined,
  etcdMembers: undefined,
  withinTime: unused,
  onPartFailure: () => undefined,
  maxSizeLimit: 100,
  now: () => 0,
  pause: unused,
});
