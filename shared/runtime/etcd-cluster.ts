import { cached } from '../aws/cached.ts';
import { ssmClient } from '../aws/clients.ts';
import { createParameterStore } from '../aws/parameters.ts';
import { type EtcdClientCredentials, readEtcdClientCredentials } from '../etcd/client-credentials.ts';
import type { EtcdCluster } from '../etcd/cluster.ts';
import { createEtcdCluster } from '../etcd-api/etcd-cluster.ts';
import { awsConnection } from './aws-connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Host } from './host.ts';

/** A renewed certificate is used after at most this time. */
const credentialsSeconds = 300;

/** The members' gateways, with the client certificate from Parameter Store; a signal stops them between two requests. */
export function composeEtcdCluster(host: Host): (signal?: AbortSignal) => EtcdCluster {
  const credentials = etcdCredentials(host);
  return (signal) => createEtcdCluster({ send: host.sendHttp, credentials, signal });
}

/** Reads the client certificate, at most every five minutes. */
export function etcdCredentials(host: Host): () => Promise<EtcdClientCredentials> {
  const { etcdClientParameter } = readConfig(host.environment, ['etcdClientParameter']);
  const store = createParameterStore(ssmClient(awsConnection(host)));
  const read = cached({
    clock: host.clock,
    seconds: credentialsSeconds,
    read: async (name: string) => {
      const stored = await store.read(name);
      if (stored) return readEtcdClientCredentials(stored.value);
      throw new ConfigError([
        `DROVER_ETCD_CLIENT_PARAMETER names ${name}, which does not exist: drover pki upload publishes a client certificate there`,
      ]);
    },
  });
  return () => read(etcdClientParameter);
}
