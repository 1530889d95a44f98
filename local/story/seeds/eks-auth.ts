import { readToken } from '../../../shared/identity/read-token.ts';
import { letIn, mapWorkers, shutOut } from './log-ins.ts';
import type { SeedStory } from './step.ts';
import { certificatesOfNewest, holdOneMore, replaceOne, scaleBy } from './workers.ts';

/** Authentication and autoscaling on EKS. */
export const eksAuth: SeedStory = {
  name: 'eks-auth',
  title: 'EKS: authentication and autoscaling',
  steps: [
    letIn({
      author: 'the creator of a cluster is system:masters, everyone else comes in by the ConfigMap aws-auth.',
      drover:
        'with identityConfigMap the token webhook reads the same ConfigMap, on clusters that are not of EKS.',
    }),
    {
      author: 'the client presigns GetCallerIdentity, and that is the token.',
      drover: 'the same token, made without another program.',
      command: () => 'token get --cluster drover --raw --no-cache',
      see: ({ printed, view }) => {
        const read = readToken(printed.trim(), { now: view.at, partition: 'aws' });
        return read.kind === 'refused'
          ? undefined
          : 'a token whose request has the shape that the webhook checks before it calls STS';
      },
      withinSeconds: 5,
    },
    shutOut({
      author: 'no other credential for people: IAM says who, the ConfigMap says what.',
      drover: 'without the entry the same token opens nothing, and no credential is revoked.',
    }),
    mapWorkers({
      author: 'aws-auth lets the role of the nodes in, with the private DNS name as user.',
      drover: 'what an entry gives, read before it is applied.',
    }),
    scaleBy(1, {
      author: 'workers start the bootstrap script, and TLS bootstrapping does the rest.',
      drover: 'a node starts, asks for its certificates with a bootstrap token, and serves.',
    }),
    {
      author: 'the request of the kubelet is approved automatically.',
      drover: 'EKS approves its own; elsewhere Drover approves only what an instance of a group asks.',
      command: () => 'csr list --all',
      see: certificatesOfNewest,
      withinSeconds: 60,
    },
    replaceOne({
      author: 'an Auto Scaling group replaces what fails. That is healing, not autoscaling.',
      drover: 'the node is drained within the budgets of its pods before EC2 terminates the instance.',
    }),
    holdOneMore({
      author: 'cluster-autoscaler adds nodes once pods wait.',
      drover: 'cluster-autoscaler may run beside it. A hold has the nodes Ready before the pods come.',
    }),
  ],
};
