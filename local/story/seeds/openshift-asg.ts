import { bootstrapperParameter } from '../../cloud/openshift-3.11.ts';
import { askWithStolenToken } from '../stolen-token.ts';
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
      command: () =>
        `user-data openshift-3.11 --cluster drover --no-check --node-service atomic-openshift-node --registry-parameter ${registry}`,
      see: ({ printed }) =>
        ['node-config-compute', 'node-bootstrapper-kubeconfig', registry, 'atomic-openshift-node'].every(
          (part) => printed.includes(part),
        )
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
