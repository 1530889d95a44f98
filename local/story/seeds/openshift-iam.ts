import { letIn, mapWorkers } from './log-ins.ts';
import type { SeedStory } from './step.ts';
import { certificatesOfNewest, holdOneMore, scaleBy } from './workers.ts';

const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/token-review';

/** OpenShift 3.11 with IAM roles. The sandbox serves the APIs of 3.11's Kubernetes; it is not OpenShift. */
export const openshiftIam: SeedStory = {
  name: 'openshift-iam',
  title: 'OpenShift 3.11 with IAM roles',
  cluster: 'openshift-3.11',
  steps: [
    {
      author:
        'authentication-token-webhook-config-file by the inventory, then webhookTokenAuthenticators in the master config.',
      drover: 'the kubeconfig of the webhook and the lines of master-config.yaml by command.',
      command: () => `token webhook-config --cluster drover --url ${url} --openshift-3.11`,
      see: ({ printed }) =>
        ['webhookTokenAuthenticators', '/etc/origin/master/token-webhook.yaml', url].every((part) =>
          printed.includes(part),
        )
          ? 'a kubeconfig for the masters, and webhookTokenAuthenticators with the path of the file'
          : undefined,
      withinSeconds: 5,
    },
    letIn(
      {
        author: "the authenticator as a DaemonSet on the masters, and a mapping of the bastion's role.",
        drover:
          'the webhook is a function, so no pod, pull secret or selector; the mapping is aws-auth. 3.11 asks it in v1beta1.',
      },
      'v1beta1',
    ),
    mapWorkers({
      author: 'a second entry makes the workers system:node:<private DNS name>.',
      drover: 'what this entry gives, read before it is applied.',
    }),
    scaleBy(1, {
      author: 'the group goes from 3 to 4 in the console; after ten minutes the node is Ready.',
      drover: 'one command. An instance of the sandbox boots in seconds.',
    }),
    {
      author: 'bindings approve the requests of bootstrapping nodes and renewals.',
      drover: 'no binding: each request is compared with the instance that it is for.',
      command: () => 'csr list --all',
      see: certificatesOfNewest,
      withinSeconds: 60,
    },
    holdOneMore({
      author: 'wanted to pre-warm a number of nodes in advance.',
      drover: 'a hold, with an end.',
    }),
  ],
};
