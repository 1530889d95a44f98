import type { SeedStory } from './step.ts';
import { certificatesOfNewest, scaleBy, workersIn } from './workers.ts';

const endpoint = 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com';

/** Why workers of EKS join by themselves. The sandbox is not EKS: Drover approves the certificates that EKS would approve. */
export const eksJoin: SeedStory = {
  name: 'eks-join',
  title: 'Why EKS workers join by themselves',
  steps: [
    scaleBy(1, {
      author: 'eksctl scale nodegroup, then wait until the new node is Ready.',
      drover:
        'a number in one command. The group may be of any kind that Auto Scaling has, with a hook that waits for the node.',
    }),
    {
      author: 'aws eks describe-nodegroup for role, group, sizes and health.',
      drover: 'the instances of the group with their nodes in one table.',
      command: (view) => `groups ${workersIn(view).name}`,
      see: ({ view, printed }) => {
        const { name } = workersIn(view);
        const listed = view.instances.filter(
          ({ groupName, instanceId }) => groupName === name && printed.includes(instanceId),
        );
        return listed.length === workersIn(view).desiredCapacity
          ? `${listed.length} instances of ${name}, each in the table`
          : undefined;
      },
      withinSeconds: 5,
    },
    {
      author: 'wondered why no certificate had to be set up by hand.',
      drover:
        'on EKS the control plane approves. On other clusters Drover does, and asks AWS first whether the instance exists.',
      command: () => 'csr list --all',
      see: certificatesOfNewest,
      withinSeconds: 60,
    },
    {
      author: 'read the user data of an instance with the AWS CLI, and decoded MIME, script and flags.',
      drover: 'one command decodes it and says what each flag does. It reads an instance too.',
      command: () => 'user-data explain -f local/story/seeds/eks-user-data.txt',
      see: ({ printed }) => {
        const flags = ['--b64-cluster-ca', '--apiserver-endpoint', '--dns-cluster-ip', '--use-max-pods'];
        return [...flags, 'kubelet --max-pods'].every((flag) => printed.includes(flag))
          ? `${flags.join(', ')} and the flags of the kubelet, each with its meaning; the authority is ${printed.includes('[hidden]') ? 'hidden' : 'shown'}`
          : undefined;
      },
      withinSeconds: 5,
    },
    {
      author: 'explained cluster name, authority, endpoint, DNS address and the 29 pods of the type.',
      drover:
        'the same user data from flags that are checked before anything is printed. The DNS address follows from the service network.',
      command: () =>
        `user-data eks-al2 --cluster prod --endpoint ${endpoint} --certificate-authority local/world/tls/certificate.pem --service-cidr 10.100.0.0/16 --kubernetes-version 1.29.3 --instance-type m5.large`,
      see: ({ printed }) =>
        ['10.100.0.10', endpoint, 'max-pods=29'].every((part) => printed.includes(part))
          ? 'a script with the endpoint, DNS at 10.100.0.10 and 29 pods for m5.large'
          : undefined,
      withinSeconds: 5,
    },
  ],
};
