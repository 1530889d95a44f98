import type { KubernetesOptions } from '../../../../src/kubernetes/kubernetes.ts';
import { createCluster } from '../../../kubernetes/support.ts';
import { type ClusterApi, clusterApi } from './cluster-api.ts';

/** The API of a simulated cluster with these controllers, by default none. */
export function sandboxApi(controllers: KubernetesOptions['controllers'] = []): ClusterApi {
  const { kubernetes, seconds } = createCluster({ controllers });
  const { adminToken: token, sendHttp } = kubernetes;
  return clusterApi({ server: 'https://cluster.invalid', token, sendHttp }, async (count) => seconds(count));
}
