import { setTimeout as sleep } from 'node:timers/promises';
import { administratorAccess } from '@drover/cloud-sandbox/aws';
import {
  makeTerminationHandlerQueue,
  terminationHandlerHook,
} from '@drover/cloud-sandbox/real/node-termination-handler/queue.ts';
import {
  type RunningTerminationHandler,
  startTerminationHandler,
} from '@drover/cloud-sandbox/real/node-termination-handler/start.ts';
import type { RealWorld } from '../../../local/real-world/world.ts';
import { measure, type Outcome } from './measure.ts';
import { request } from './request.ts';
import { openStage, type Stage, type StagePlan } from './stage.ts';

const account = 'node-termination-handler';

/** In queue mode, with ten workers, as its chart has it. */
export async function drainWithTerminationHandler(plan: StagePlan): Promise<Outcome> {
  const stage = await openStage({ ...plan, contestant: { hook: terminationHandlerHook } });
  let handler: RunningTerminationHandler | undefined;
  try {
    handler = await startFor(stage);
    return await measure(stage, {
      username: `system:serviceaccount:kube-system:${account}`,
      begin: () => stage.terminateAll(),
    });
  } finally {
    await handler?.stop();
    await stage.close();
  }
}

/** It listens when this resolves; what its start has asked is not counted. */
async function startFor({ world, calls }: Stage): Promise<RunningTerminationHandler> {
  const { cloud, controlPlane, aws } = world;
  const user = cloud.account.iam.putUser({ userName: account, policies: [administratorAccess] });
  const handler = await startTerminationHandler({
    aws: { endpoint: aws.url, region: cloud.account.region, ...user },
    queueUrl: makeTerminationHandlerQueue(cloud),
    kubernetes: {
      server: controlPlane.url,
      token: await serviceAccountToken(world),
      certificateAuthority: controlPlane.files.authority.certificate,
    },
  });
  while ((calls.counts().get('sqs ReceiveMessage') ?? 0) === 0) {
    if (handler.hasExited()) throw new Error(`it has ended: ${handler.lastWords()}`);
    await sleep(200);
  }
  calls.reset();
  return handler;
}

interface TokenAnswer {
  readonly status: { readonly token: string };
}

async function serviceAccountToken({ admin }: RealWorld): Promise<string> {
  const path = '/api/v1/namespaces/kube-system/serviceaccounts';
  await request(admin, { path, body: { metadata: { name: account } } });
  await request(admin, {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: {
      metadata: { name: account },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
    },
  });
  const { status } = await request<TokenAnswer>(admin, {
    path: `${path}/${account}/token`,
    body: { spec: { expirationSeconds: 7200 } },
  });
  return status.token;
}
