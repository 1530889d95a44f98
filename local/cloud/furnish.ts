import { addGroup as addGroupOf, type Cloud, type GroupPlan as PlanOfGroup } from '@drover/cloud-sandbox';

export interface GroupPlan extends PlanOfGroup {
  readonly role?: 'worker' | 'control-plane' | 'etcd';
}

/** Makes an Auto Scaling group as an operator of Drover does: with the tag of its role. */
export function addGroup({ account }: Pick<Cloud, 'account'>, { role = 'worker', ...plan }: GroupPlan): void {
  addGroupOf(account, { ...plan, tags: { 'drover.dev/role': role, ...plan.tags } });
}

/** The kubeconfig that Drover's functions read: put into Parameter Store as the operator would. */
export function publishKubeconfig(
  { account }: Cloud,
  options: {
    readonly parameterName: string;
    readonly server: string;
    readonly token: string;
    readonly certificateAuthority?: string;
    /** A key of the operator's own; absent: the account's default key. */
    readonly keyId?: string;
  },
): void {
  const { server, token, certificateAuthority, keyId } = options;
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'drover',
    clusters: [
      {
        name: 'sandbox',
        cluster: {
          server,
          ...(certificateAuthority && {
            'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
          }),
        },
      },
    ],
    users: [{ name: 'drover', user: { token } }],
    contexts: [{ name: 'drover', context: { cluster: 'sandbox', user: 'drover' } }],
  };
  account.ssm.operations.PutParameter(
    {
      Name: options.parameterName,
      Value: JSON.stringify(kubeconfig),
      Type: 'SecureString',
      Overwrite: true,
      ...(keyId !== undefined && { KeyId: keyId }),
    },
    { principal: account.operator, requestId: 'furnish' },
  );
}
