import { shellWord } from '../../shared/base/shell-words.ts';
import type { BootstrapRole } from '../../shared/credentials/token-cluster.ts';
import { credentialParameterOf } from '../../shared/credentials/token-ledger.ts';
import { roleOf } from '../../shared/groups/group.ts';
import type { Verdict } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';
import type { ClusterIdentity } from './identities.ts';

/** What a parameter holds. */
export type Content =
  | { readonly kind: 'kubeconfig' }
  | { readonly kind: 'bootstrap credential'; readonly role: BootstrapRole }
  | { readonly kind: 'etcd client' };

/** A parameter that the deployment reads or writes. */
export interface StoredParameter {
  readonly name: string;
  readonly use: string;
  readonly content: Content;
  /** Age at which it is overdue for renewal. */
  readonly renewedWithinSeconds?: number;
  /** The verdict on its absence. */
  readonly ifMissing: Verdict;
  /** Where its absence is as it should be, or has another remedy. */
  readonly mayBeMissing?: string;
  /** The command that makes it or renews it. */
  readonly command: string;
}

/** The alarm `bootstrap-credential-overdue` allows as much. */
const overdueSeconds = 2 * 3600;

/** The parameters of the deployment. The parameter of etcd is read only if there is a group of etcd. */
export async function storedParameters(context: DoctorContext): Promise<readonly StoredParameter[]> {
  const hasEtcd = (await context.managedGroups()).some((group) => roleOf(group) === 'etcd');
  return [
    ...kubeconfigs(context),
    ...bootstrapCredentials(context),
    ...(hasEtcd ? [etcdClient(context)] : []),
  ];
}

const kubeconfigs = (context: DoctorContext): readonly StoredParameter[] =>
  context.identities.map((identity) => ({
    name: identity.parameter,
    use:
      context.identities.length > 1
        ? `the kubeconfig of ${identity.needs.join(' and ')}`
        : 'Drover’s kubeconfig',
    content: { kind: 'kubeconfig' },
    ifMissing: 'fix',
    ...(hasServiceAccount(identity) && { mayBeMissing: onEks }),
    command: hasServiceAccount(identity) ? ownKubeconfig(identity, context) : storeFile(identity),
  }));

const onEks = 'on EKS, store one without a credential instead (docs/quick-start/eks.md)';

/** The ServiceAccount has the rights of node-leaving. A kubeconfig for fewer needs must not get its token. */
const hasServiceAccount = ({ needs }: Pick<ClusterIdentity, 'needs'>): boolean =>
  needs.includes('node-leaving');

function ownKubeconfig(
  { parameter }: Pick<ClusterIdentity, 'parameter'>,
  { clusterName }: Pick<DoctorContext, 'clusterName'>,
): string {
  const other =
    parameter === `/drover/${clusterName}/kubeconfig` ? '' : ` --parameter ${shellWord(parameter)}`;
  return `drover kubeconfig --cluster ${shellWord(clusterName)}${other}`;
}

/** A kubeconfig with a client certificate is larger than a standard parameter may be. */
const storeFile = ({ parameter }: Pick<ClusterIdentity, 'parameter'>): string =>
  `aws ssm put-parameter --name ${shellWord(parameter)} --type SecureString --tier Intelligent-Tiering --overwrite --value file://drover.kubeconfig`;

const bootstrapCredentials = (context: DoctorContext): readonly StoredParameter[] =>
  context.bootstrapRoles.map((role) => ({
    name: credentialParameterOf(context.bootstrapParameter, role),
    use: role === 'worker' ? 'the bootstrap credential' : `the bootstrap credential of ${role} nodes`,
    content: { kind: 'bootstrap credential', role },
    ifMissing: 'advice',
    mayBeMissing: 'a deployment with bootstrap off, as on EKS, has none',
    renewedWithinSeconds: context.bootstrapRotationSeconds + overdueSeconds,
    command: `drover rotate --cluster ${shellWord(context.clusterName)}${role === 'worker' ? '' : ` --role ${role}`}`,
  }));

const etcdClient = ({ etcdClientParameter, clusterName }: DoctorContext): StoredParameter => ({
  name: etcdClientParameter,
  use: 'the client certificate for etcd',
  content: { kind: 'etcd client' },
  ifMissing: 'fix',
  command: `drover pki upload FOLDER --cluster ${shellWord(clusterName)}`,
});
