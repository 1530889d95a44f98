import { type Cloud, type CloudOptions, createCloud } from '@drover/cloud-sandbox';
import { userDataOfEtcd } from './etcd-user-data.ts';
import { functionsFromSource } from './functions.ts';
import { nodeSettings } from './node-settings.ts';

/** A simulated account with a cluster on its instances and Drover deployed beside it; its functions are those of the source. */
export function createDroverCloud(options: CloudOptions): Cloud {
  const { clusterName, kubelets = {}, etcd, functions = functionsFromSource } = options;
  return createCloud({
    ...options,
    functions,
    kubelets: { ...kubelets, configure: nodeSettings(kubelets.configure) },
    etcd: { userData: userDataOfEtcd(clusterName), ...etcd },
  });
}
