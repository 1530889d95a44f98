import type { Cloud } from '@drover/cloud-sandbox';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { EtcdCredentials } from '../../../shared/etcd-api/http.ts';
import { awsAuthOf } from '../../story/log-in.ts';
import { pause } from '../../story/seeds/play.ts';
import type { Stage } from '../../story/seeds/stage.ts';
import { type View, viewFrom } from '../../story/view.ts';
import { readEtcd, withoutEtcd } from './read-etcd.ts';

export interface RealParts {
  readonly cloud: Cloud;
  readonly admin: ClusterAdmin;
  /** Undefined if no instance of the world runs etcd. */
  readonly etcdCredentials?: EtcdCredentials;
}

const configMaps = '/api/v1/namespaces/kube-system/configmaps';

/** A real cluster, and real etcd where the world has it, read over their ports as any client reads them. */
export function realStage(parts: RealParts): Stage {
  const { cloud, admin } = parts;
  return {
    cloud,
    look: () => onceItAnswers(cloud.account, () => look(parts)),
    mapRole: async (isMapped) => {
      const awsAuth = awsAuthOf(cloud.account);
      const path = `${configMaps}/${awsAuth.metadata?.name}`;
      const { status, body } = await requestOf(admin, { method: 'DELETE', path });
      if (status !== 200 && status !== 404) throw new Error(`DELETE ${path}: ${status} ${body}`);
      if (isMapped) await createItem(admin, configMaps, awsAuth);
    },
  };
}

async function look({ cloud, admin, etcdCredentials }: RealParts): Promise<View> {
  const [nodes, requests, pods, budgets, etcd] = await Promise.all([
    listItems<Node>(admin, '/api/v1/nodes'),
    listItems<CertificateSigningRequest>(admin, '/apis/certificates.k8s.io/v1/certificatesigningrequests'),
    listItems<Pod>(admin, '/api/v1/pods'),
    listItems<PodDisruptionBudget>(admin, '/apis/policy/v1/poddisruptionbudgets'),
    etcdCredentials ? readEtcd(cloud, etcdCredentials) : withoutEtcd,
  ]);
  return viewFrom(cloud.account, { nodes, requests, pods, budgets, etcd });
}

/** In seconds of the account. */
const awaySeconds = 120;

/** While an API server is replaced, a connection to it may break. @throws the last failure if that lasts */
async function onceItAnswers<T>({ clock }: Cloud['account'], read: () => Promise<T>): Promise<T> {
  const end = clock.now() + awaySeconds * 1000;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isAway(error) || clock.now() > end) throw error;
      await pause(clock, 1);
    }
  }
}
