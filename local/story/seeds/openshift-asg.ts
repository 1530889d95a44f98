import type { Cloud } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { bootstrapperParameter } from '../../cloud/openshift-3.11.ts';
import { askWithStolenToken, publishedToken } from '../stolen-token.ts';
import type { SeedStory } from './step.ts';
import { certificatesOfNewest, scaleBy } from './workers.ts';

const registry = '/drover/drover/registry';

/** OpenShift 3.11 on an Auto Scaling group. The sandbox serves the APIs of 3.11's Kubernetes; it is not OpenShift. */
export const openshiftAsg: SeedStory = {
  name: 'openshift-asg',
  title: 'OpenShift 3.11 on an Auto Scaling group',
  cluster: 'openshift-3.11',
  steps: [
    {
      author:
        'cloud-config with the node group, the bootstrap kubeconfig in base64 and the credential of the registry.',
      drover:
        'the same cloud-config without a secret: the node reads both from Parameter Store when it boots.',
      hand: {
        types: () =>
          `aws ssm put-parameter --type SecureString --name ${registry} --value file://config.json`,
        does: ({ cloud }) => putRegistryCredential(cloud),
      },
      command: () =>
        `user-data openshift-3.11 --cluster drover --no-check --node-service atomic-openshift-node --registry-parameter ${registry}`,
      see: ({ printed, cloud }) =>
        ['node-config-compute', 'node-bootstrapper-kubeconfig', registry, 'atomic-openshift-node'].every(
          (part) => printed.includes(part),
        ) && !credentialsIn(cloud).some((credential) => printed.includes(credential))
          ? `a cloud-config that names node-config-compute and the parameters, and has neither of the two credentials in it`
          : undefined,
      withinSeconds: 5,
    },
    scaleBy(1, {
      author: 'the group is one larger in the console, and the node follows.',
      drover: 'the same number by command. The node asks with the token of node-bootstrapper.',
    }),
    {
      author:
        'the node does not appear: oc get csr, oc adm certificate approve, later bootstrap-autoapprover.',
      drover: 'each request is compared with AWS and then approved. You type nothing.',
      command: () => 'csr list --all',
      see: certificatesOfNewest,
      withinSeconds: 60,
    },
    {
      author: 'the autoapprover approves each request that comes with the token.',
      drover: 'a request for the name of a node that runs is held back, with the reason.',
      hand: {
        types: ({ nodes }) => `(a thief of the token asks for the certificate of ${nodes[0]?.name})`,
        does: ({ cloud }, { nodes }) =>
          askWithStolenToken(cloud, nodes[0]?.name ?? '', {
            parameterName: bootstrapperParameter,
            version: 'v1beta1',
          }),
      },
      command: () => 'csr explain stranger',
      see: ({ view }) => {
        const stolen = view.requests.find(({ name }) => name === 'stranger');
        return stolen && stolen.decision?.type !== 'Approved'
          ? `the request is ${stolen.decision?.type.toLowerCase() ?? 'pending, and not approved'}`
          : undefined;
      },
      withinSeconds: 5,
    },
    {
      author: 'oc adm certificate approve, by hand, for what a controller does not decide.',
      drover: 'the same by hand, with the verdict beside the name; here the answer is no.',
      command: () => 'csr deny stranger --yes',
      see: ({ view }) =>
        view.requests.find(({ name }) => name === 'stranger')?.decision?.type === 'Denied'
          ? 'the request is denied'
          : undefined,
      withinSeconds: 5,
    },
    scaleBy(-1, {
      author: 'the number is changed, and workers go.',
      drover: 'the node that goes is drained first, within the budgets of its pods.',
    }),
  ],
};

/** The docker config of a registry, with an `auth` of its own. */
function putRegistryCredential({ account }: Cloud): void {
  const auth = Buffer.from(`pull:${account.random.secretHex(32)}`).toString('base64');
  account.ssm.operations.PutParameter(
    {
      Name: registry,
      Type: 'SecureString',
      Value: JSON.stringify({ auths: { 'registry.redhat.io': { auth } } }),
      Overwrite: true,
    },
    { principal: account.operator, requestId: 'furnish' },
  );
}

/** Both credentials as a cloud-config might have them: the secret itself, or its whole file in base64, as the author had it. */
function credentialsIn(cloud: Cloud): readonly string[] {
  const valueOf = (name: string): string => cloud.account.ssm.controls.value(name) ?? '';
  const { auths } = registrySchema.parse(JSON.parse(valueOf(registry)));
  return [
    publishedToken(cloud, bootstrapperParameter),
    ...Object.values(auths).map(({ auth }) => auth),
    ...[bootstrapperParameter, registry].map((name) => Buffer.from(valueOf(name)).toString('base64')),
  ];
}

const registrySchema = z.object({ auths: z.record(z.string(), z.object({ auth: z.string() })) });
