import { type Cloud, type CloudOptions, createCloud } from '@drover/cloud-sandbox';
import { endingEarly } from './ending-early.ts';
import { userDataOfEtcd } from './etcd-user-data.ts';
import { functionsFromSource } from './functions.ts';
import { nodeSettings } from './node-settings.ts';

type Settings = Pick<CloudOptions, 'functions' | 'kubelets' | 'etcd'>;

/** What makes a simulated account one with Drover in it; its functions are those of the source. */
export const droverSettings = (options: Settings & Pick<CloudOptions, 'clusterName'>): Settings => ({
  functions: endingEarly(options.functions ?? functionsFromSource),
  kubelets: { ...options.kubelets, configure: nodeSettings(options.kubelets?.configure) },
  etcd: { userData: userDataOfEtcd(options.clusterName), ...options.etcd },
});

/** A simulated account with a cluster on its instances and Drover deployed beside it. */
export const createDroverCloud = (options: CloudOptions): Cloud =>
  createCloud({ ...options, ...droverSettings(options) });
