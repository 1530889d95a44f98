import { readFileSync } from 'node:fs';
import { addGroup, type Cloud } from '@drover/cloud-sandbox';
import { administratorAccess } from '@drover/cloud-sandbox/aws';
import { parse } from 'yaml';
import { type Credential, readCredential } from '../../../cli/doctor/credential.ts';
import { terminalEnvironmentOf } from '../../../local/terminal/terminal-environment.ts';
import { openSandbox } from '../../../local/wire/sandbox.ts';
import { asKubeadmMadeIt } from './kubeadm-cluster.ts';
import { openServices } from './services.ts';
import { workload } from './workload.ts';

const clusterName = 'drover';
const group = 'prod-workers';
const bucket = 'artifacts-of-prod';
const kubeconfigParameter = `/drover/${clusterName}/kubeconfig`;

/** What has made the cluster of a page. */
export type Maker = 'eks' | 'kubeadm' | 'openshift';

export type QuickStartWorld = Awaited<ReturnType<typeof openQuickStartWorld>>;

/** Where a quick start begins: a group that Drover does not manage yet, and no kubeconfig of Drover's. Its functions are deployed already. */
export async function openQuickStartWorld(maker: Maker, folder: string) {
  const ofCluster = {
    eks: () => [],
    kubeadm: async () => [await asKubeadmMadeIt(folder)],
    openshift: () => [nodeBootstrapper],
  };
  const manifestsOfCluster = await ofCluster[maker]();
  const problems: unknown[] = [];
  const lines: string[] = [];
  const sandbox = await openSandbox({
    speed: 5,
    seed: 1,
    basePort: 0,
    nodesAsk: maker === 'kubeadm',
    // Without a kubeconfig it would fail, and an alarm would say so for an hour.
    makesCredential: false,
    furnish: async ({ cloud: { account }, apply }) => {
      addGroup(account, { autoScalingGroupName: group, clusterName, size: 3 });
      for (const manifests of [workload, ...manifestsOfCluster]) await apply(manifests);
    },
    recent: () => ({ passes: [], news: [] }),
    onLine: (functionName, line) => lines.push(`${functionName} ${line}`),
    onProblem: (problem) => problems.push(problem),
  });
  const { cloud, doors } = sandbox;
  if (maker !== 'kubeadm') leaveOut(cloud, ['bootstrap-credential', 'certificate-requests']);
  const known = readParameter(cloud);
  cloud.account.ssm.operations.DeleteParameter({ Name: kubeconfigParameter });
  cloud.account.s3.operations.CreateBucket({ Bucket: bucket });
  const stored: Credential[] = [];
  const services = await openServices({
    cloud,
    clusterName,
    cluster: clusterOf(sandbox.kubeconfig),
    outputs: { HttpApiUrl: doors.httpApi.url },
    // What the page stored is read as Drover reads it. The sandbox has no authenticator of EKS, and another authority than kubeadm: then it is replaced.
    letIn: async () => {
      stored.push(
        await readCredential({ text: readParameter(cloud), content: { kind: 'kubeconfig' }, clusterName }),
      );
      if (maker === 'openshift') return;
      cloud.account.ssm.operations.PutParameter(
        { Name: kubeconfigParameter, Type: 'SecureString', Value: known, Overwrite: true },
        { principal: cloud.account.operator, requestId: 'let-in' },
      );
    },
    onFault: (fault) => problems.push(fault),
  });
  const { DROVER_API_URL: _, ...environment } = terminalEnvironmentOf({
    ...sandbox,
    awsUrl: doors.aws.url,
    scaleApiUrl: doors.httpApi.url,
    reachesEtcd: false,
  });
  return {
    cloud,
    services,
    stored,
    lines,
    problems,
    values: { region: cloud.account.region, clusterName, group, bucket, launchTemplate: group },
    shell: { folder, servicesUrl: services.url, environment: { ...environment, ...asRole(cloud) } },
    close: async (): Promise<void> => {
      await Promise.all([services.close(), sandbox.close()]);
    },
  };
}

/** Credentials of a role, as people have them who sign in with IAM Identity Center. The scale API of the sandbox knows only its users. */
function asRole({ account: { iam } }: Cloud): Readonly<Record<string, string>> {
  const trustPolicy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '*' } }],
  };
  const { arn: roleArn } = iam.putRole({
    roleName: 'operators',
    policies: [administratorAccess],
    trustPolicy,
  });
  const session = iam.issueCredentials({ roleArn, sessionName: 'ana', durationSeconds: 43_200 });
  const { accessKeyId, secretAccessKey, sessionToken = '' } = session;
  return {
    ROLE_SESSION: `AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_SESSION_TOKEN=${sessionToken}`,
  };
}

/** The rules and the rights of features that a page switches off: the sandbox has all of them. */
function leaveOut(
  { account: { events }, kubernetes: { registry } }: Cloud,
  features: readonly string[],
): void {
  for (const feature of features) {
    const { Rules } = events.operations.ListRules({ NamePrefix: 'drover-' });
    for (const { Name = '' } of Rules.filter((rule) => rule.Name?.endsWith(`-${feature}`))) {
      const { Targets } = events.operations.ListTargetsByRule({ Rule: Name });
      events.operations.RemoveTargets({ Rule: Name, Ids: Targets.map(({ Id = '' }) => Id) });
      events.operations.DeleteRule({ Name });
    }
  }
  const tokens = { name: 'drover-bootstrap-tokens', namespace: 'kube-system' };
  registry.delete('roles.rbac.authorization.k8s.io', { metadata: tokens });
  registry.delete('clusterroles.rbac.authorization.k8s.io', { metadata: { name: 'drover-certificates' } });
}

/** The account of OpenShift 3.11 whose token new nodes use. */
const nodeBootstrapper = `apiVersion: v1
kind: Namespace
metadata: { name: openshift-infra }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: node-bootstrapper, namespace: openshift-infra }
`;

function readParameter({ account: { ssm } }: Cloud): string {
  const { Parameter } = ssm.operations.GetParameter({ Name: kubeconfigParameter, WithDecryption: true });
  return Parameter?.Value ?? '';
}

/** The API server, as EKS describes it. */
function clusterOf(kubeconfig: string) {
  const [{ cluster }] = parse(readFileSync(kubeconfig, 'utf8')).clusters;
  return { endpoint: cluster.server, certificateAuthority: { data: cluster['certificate-authority-data'] } };
}
