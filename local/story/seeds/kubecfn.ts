import { gunzipSync } from 'node:zlib';
import { isWhole } from '../etcd-story.ts';
import type { InstanceView, View } from '../view.ts';
import { controllersIn, targetsOf } from './controllers.ts';
import type { SeedStory } from './step.ts';
import { scaleBy } from './workers.ts';

/** CloudFormation and several masters, in the author's layout: etcd and API servers on the same instances. */
export const kubecfn: SeedStory = {
  name: 'kubecfn',
  title: 'kubecfn: CloudFormation, several masters',
  cluster: 'etcd-beside',
  steps: [
    {
      author: 'keys for etcd and kubeadm, made offline and put into S3.',
      drover: 'the same keys, offline; drover pki upload puts them into Parameter Store.',
      command: () => 'pki --domain etcd.drover.internal --names api.example.com --out story-pki --dry-run',
      see: ({ printed }) =>
        ['etcd/ca.crt', 'etcd/peer.crt', 'apiserver-etcd-client.crt', 'sa.key'].every((file) =>
          printed.includes(file),
        )
          ? 'the files of both authorities, etcd, the API server and service accounts, which would be written'
          : undefined,
      withinSeconds: 5,
    },
    {
      author: 'a flag at creation lets etcd bootstrap; peers find each other by SRV records.',
      drover:
        'no flag: the records say whether the cluster is new. etcd is on the machines of the control plane too.',
      command: () => 'etcd status --dns-only',
      see: ({ view }) =>
        isWhole(view)
          ? `${view.etcd.shown.length} members in one cluster, the same as in ${view.etcd.srvName}`
          : undefined,
      withinSeconds: 300,
    },
    {
      author: 'a Lambda writes the zone at each instance that comes or goes.',
      drover: 'also a Lambda. It removes the member from the cluster before, and adds its replacement after.',
      hand: {
        types: (view) =>
          `aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${followerIn(view).instanceId} --no-should-decrement-desired-capacity`,
        does: ({ cloud }, view) =>
          cloud.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
            InstanceId: followerIn(view).instanceId,
            ShouldDecrementDesiredCapacity: false,
          }),
      },
      see: ({ before, view, seconds }) => {
        const { instanceId } = followerIn(before);
        const [was] = before.etcd.members;
        return isWhole(view) && !view.etcd.shown.includes(instanceId)
          ? `${instanceId} is replaced after ${seconds} s, in the records too; it is ${view.etcd.members.every(({ clusterId }) => clusterId === was?.clusterId) ? 'the same' : 'ANOTHER'} cluster`
          : undefined;
      },
      withinSeconds: 1800,
    },
    {
      author: 'kubeadm init with the authority of the first step, behind a load balancer, once etcd is up.',
      drover:
        'one user data for every machine of the control plane, and none of them is the first. The sandbox runs no kubeadm, so it is printed only.',
      command: () =>
        'user-data kubeadm --cluster drover --role control-plane --etcd beside --etcd-domain etcd.drover.internal --endpoint https://api.example.com:6443 --service-cidr 10.96.0.0/12 --kubernetes-version 1.34.4 --no-check --gzip',
      see: ({ printed }) =>
        ['kubeadm init', 'api.example.com:6443', 'https://127.0.0.1:2379'].every((part) =>
          unpacked(printed).includes(part),
        )
          ? 'a script that runs kubeadm init with the etcd of its own machine, behind api.example.com'
          : undefined,
      withinSeconds: 5,
    },
    {
      author: 'a load balancer before the API servers, with a record in a zone of its own.',
      drover:
        'Auto Scaling registers a machine once its etcd votes and its node is Ready. Zone and record are in examples/etcd-beside.',
      see: ({ cloud, view }) => {
        const targets = targetsOf(cloud, view);
        return isWhole(view) && targets.join() === controllersIn(view).join()
          ? `${targets.length} machines behind the load balancer, those of the control plane in service`
          : undefined;
      },
      withinSeconds: 600,
    },
    scaleBy(1, {
      author: 'workers are a group too; their Ignition downloads the credential of the kubelet from S3.',
      drover: 'a group with a number. A new node reads a bootstrap token that expires.',
    }),
  ],
};

/** User data from `--gzip`, the first line that is printed. */
const unpacked = (printed: string): string =>
  gunzipSync(Buffer.from(printed.split('\n')[0] ?? '', 'base64')).toString();

/** A member that does not lead: without the leader the others would first elect another. */
function followerIn({ etcd, instances }: View): InstanceView {
  const followers = etcd.members.filter(({ leads }) => !leads).map(({ instanceId }) => instanceId);
  const found = instances.find(({ instanceId }) => followers.includes(instanceId));
  if (!found) throw new Error('etcd has no member that follows a leader');
  return found;
}
