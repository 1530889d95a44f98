import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { DeleteParameterCommand, DescribeParametersCommand, type SSMClient } from '@aws-sdk/client-ssm';
import * as z from 'zod/mini';
import { describeGroups, describeHooks } from '../../shared/aws/auto-scaling.ts';
import { hasCode } from '../../shared/aws/errors.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { type Api, isSuccess, pathOf } from '../../shared/kubernetes/api.ts';
import { listAll } from '../../shared/kubernetes/lists.ts';
import { errorOf } from '../../shared/kubernetes/status.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { readForeignHooks } from '../doctor/foreign-hooks.ts';
import { nodeTracesOf } from '../leave/node-traces.ts';
import type { UninstallAccess } from './access.ts';
import { accessEntryKind, mappedRoleKind } from './access-entries.ts';
import { clusterObjects } from './cluster-objects.ts';
import type { Kind } from './kind.ts';
import { queuesOfStage } from './stages.ts';

interface KindOptions {
  readonly allParameters: boolean;
}

/**
 * The kinds in the order of their removal. Admission policies go first, because a policy without Drover would refuse what Drover made;
 * RBAC goes after that, because the credentials of Drover's own user may be those of this command.
 */
export const kindsOf = (access: UninstallAccess, options: KindOptions): readonly Kind[] => [
  objectKind('admission policies', access, 'admission'),
  tokenKind(access),
  nodeKind(access),
  scheduleKind(access),
  parameterKind(access, options),
  queueKind(access),
  objectKind('flow control', access, 'flow-control'),
  objectKind('RBAC objects', access, 'rbac'),
  accessEntryKind(access),
  mappedRoleKind(access),
  lostGroupKind(access),
];

const withoutCluster = (): never => {
  throw new Error('the cluster is left out');
};
const apiOf = ({ leave }: UninstallAccess): Api => leave.cluster?.api ?? withoutCluster();

/** The objects of deploy/*.yaml, by their names. */
function objectKind(name: string, access: UninstallAccess, part: keyof typeof clusterObjects): Kind {
  const paths = clusterObjects[part];
  return {
    name,
    inCluster: true,
    list: async () => {
      const found: string[] = [];
      for (const path of paths) if (await exists(apiOf(access), path)) found.push(path);
      return found;
    },
    remove: (path) => deleteObject(apiOf(access), path),
  };
}

async function exists(api: Api, path: string): Promise<boolean> {
  const response = await api.exchange({ method: 'GET', path });
  // 404 also if the API server does not know the kind, as before Kubernetes 1.30.
  if (response.status === 404) return false;
  if (isSuccess(response)) return true;
  throw errorOf(`GET ${path}`, response);
}

async function deleteObject(api: Api, path: string): Promise<void> {
  const response = await api.exchange({ method: 'DELETE', path });
  if (response.status !== 404 && !isSuccess(response)) throw errorOf(`DELETE ${path}`, response);
}

const secrets = pathOf('api', 'v1', 'namespaces', 'kube-system', 'secrets');
const namedSchema = lazily(() => z.object({ metadata: z.object({ name: z.string() }) }));

/** The Secrets with the label of this cluster: those of others, and of kubeadm, are left alone. */
const tokenKind = (access: UninstallAccess): Kind => ({
  name: 'bootstrap tokens',
  inCluster: true,
  list: async () => {
    const query = { labelSelector: `drover.dev/cluster=${access.clusterName}` };
    const found = await listAll(apiOf(access), { path: secrets, query, schema: namedSchema });
    return found.map(({ metadata }) => metadata.name);
  },
  remove: (name) => deleteObject(apiOf(access), `${secrets}${pathOf(name)}`),
  risk: 'an instance that holds such a token and has not joined cannot join any more',
});

/** Marks on Nodes of no group that was left: of instances that are gone, or in groups that have lost their tags. */
function nodeKind(access: UninstallAccess): Kind {
  const cluster = () => access.leave.cluster ?? withoutCluster();
  const traces = async () =>
    (await cluster().listNodes('consistent')).flatMap((node) => nodeTracesOf(node) ?? []);
  return {
    name: 'marks on Nodes',
    inCluster: true,
    verb: 'is unmarked, and uncordoned if Drover has cordoned it',
    list: async () => (await traces()).map(({ name }) => name),
    remove: async (name) => {
      const found = (await traces()).find((one) => one.name === name);
      if (found) await cluster().patchNode(name, found.patch);
    },
  };
}

const scheduleKind = ({ leave: { schedules } }: UninstallAccess): Kind => ({
  name: 'schedules',
  inCluster: false,
  list: async () => (await schedules.list()).map(({ name }) => name),
  remove: async (name) => {
    await schedules.remove(name);
  },
});

const keepsServing = 'members of etcd and new control planes read it: --all-parameters deletes it too';

function parameterKind({ ssm, clusterName }: UninstallAccess, { allParameters }: KindOptions): Kind {
  const path = `/drover/${clusterName}`;
  const isKept = (name: string): boolean =>
    /^(?:pki|etcd|etcd-client)(?:\/|$)/.test(name.slice(path.length + 1));
  return {
    name: 'parameters',
    inCluster: false,
    list: () => parameterNames(ssm, path),
    remove: async (Name) => {
      try {
        await ssm.send(new DeleteParameterCommand({ Name }));
      } catch (error) {
        if (!hasCode(error, 'ParameterNotFound')) throw error;
      }
    },
    whyKept: (name) => (isKept(name) && !allParameters ? keepsServing : undefined),
    risk: 'a launch template whose user data reads one of them launches nodes that cannot join',
  };
}

/** Names only: the values are secrets. */
async function parameterNames(ssm: SSMClient, path: string): Promise<readonly string[]> {
  const names: string[] = [];
  let NextToken: string | undefined;
  do {
    const ParameterFilters = [{ Key: 'Path', Option: 'Recursive', Values: [path] }];
    const page = await ssm.send(
      new DescribeParametersCommand({ ParameterFilters, MaxResults: 50, NextToken }),
    );
    names.push(...(page.Parameters ?? []).flatMap(({ Name }) => Name ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return names;
}

/** CloudFormation keeps the queues when it deletes the stack. */
const queueKind = (access: UninstallAccess): Kind => ({
  name: 'queues',
  inCluster: false,
  list: () => queuesOfStage(access),
  remove: async (QueueUrl) => {
    try {
      await access.sqs.send(new DeleteQueueCommand({ QueueUrl }));
    } catch (error) {
      if (!hasCode(error, 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue')) throw error;
    }
  },
  risk: 'their messages are lost; nothing waits for them once the hooks are gone',
});

/** Groups that are not listed with the cluster's, because they have lost its tag, and whose hooks nothing completes any more. */
function lostGroupKind({ leave, clock }: UninstallAccess): Kind {
  const { autoScaling, cluster } = leave;
  return {
    name: 'hooks of groups without a tag of any cluster',
    inCluster: false,
    verb: 'may be of this cluster: drover leave takes it',
    list: async () => {
      const { problems, beyondLimit, failures } = await readForeignHooks(
        {
          readPage: (NextToken) => describeGroups(autoScaling.client, { MaxRecords: 100, NextToken }),
          describeHooks: (name) => describeHooks(autoScaling.client, name),
          readNodeInstanceIds: async () =>
            new Set(
              (await (cluster ?? withoutCluster()).listNodes('cached')).flatMap(
                ({ spec }) => instanceIdOf(spec?.providerID) ?? [],
              ),
            ),
          names: autoScaling,
          clock,
        },
        new Set(),
      );
      const [failure] = failures;
      if (failure) throw new Error(`${failure.item}: ${messageOf(failure.error)}`);
      if (beyondLimit > 0) throw new Error(`${beyondLimit} groups without a tag are too many to read`);
      return [...new Set(problems.map(({ subject }) => subject))];
    },
    remove: (name) => Promise.reject(new Error(`drover leave ${name} takes it, if it is of this cluster`)),
  };
}
