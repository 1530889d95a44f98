import { expect } from 'vitest';
import { kubernetes } from '../../../../real/programs.ts';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';

interface Missing {
  /** What a real cluster does. */
  readonly behaviour: string;
  readonly words: string;
  /** What kubectl prints here instead. */
  readonly meets: string;
  /** What kubectl reads. */
  readonly input?: string;
}

const kubectlMinor = Number(kubernetes.version.split('.')[1]);
const notFound = 'Error from server (NotFound): the server could not find the requested resource';
const misspelt =
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"nodename":"a","containers":[{"name":"x","image":"y"}]}}';

/** What the sandbox does not model, each with what kubectl prints. */
export const missing: readonly Missing[] = [
  {
    behaviour: 'explain shows the documentation of a field',
    words: 'explain pod.spec.nodeName',
    meets: 'not found in OpenAPI schema',
  },
  {
    behaviour: 'logs prints what a container wrote',
    words: 'logs deployment/web -n default',
    meets: notFound,
  },
  {
    behaviour: 'exec runs a command in a container',
    words: 'exec deployment/web -n default -- true',
    // From 1.36 on it begins with "unable to upgrade connection".
    meets: kubectlMinor < 36 ? notFound : 'the server could not find the requested resource',
  },
  {
    behaviour: 'port-forward leads to a pod',
    words: 'port-forward deployment/web -n default :80',
    meets: 'the server could not find the requested resource',
  },
  { behaviour: 'top shows what nodes use', words: 'top nodes', meets: 'error: Metrics API not available' },
  {
    behaviour: 'autoscale makes a HorizontalPodAutoscaler',
    words: 'autoscale deployment web -n default --max=3',
    meets: 'error: failed to create autoscaling/v2 HPA',
  },
  {
    behaviour: 'create ingress makes an Ingress',
    words: 'create ingress i --rule=a/b=c:80',
    meets: 'error: failed to create ingress: the server could not find the requested resource',
  },
  {
    behaviour: 'create quota limits a namespace',
    words: 'create quota q --hard=pods=1',
    meets: 'error: failed to create quota: the body of the request was in an unknown format',
  },
  {
    behaviour: 'get shows the Service of the API server',
    words: 'get service kubernetes -n default',
    meets: 'Error from server (NotFound): services "kubernetes" not found',
  },
  {
    behaviour: 'rollout history lists the revisions of a DaemonSet',
    words: 'rollout history daemonset/log-agent -n kube-system',
    meets: 'No rollout history found.',
  },
  {
    behaviour: 'get --raw reads the metrics of the API server',
    words: 'get --raw /metrics',
    meets: notFound,
  },
  {
    behaviour: 'apply refuses a field that is misspelt',
    words: 'apply -f -',
    input: misspelt,
    meets: 'pod/x created',
  },
];

async function answerTo({ feed, tried }: KubectlWorld, { words, input }: Missing): Promise<string> {
  if (input !== undefined) return feed(input, words);
  const { stdout, stderr } = await tried(words);
  return `${stdout}${stderr}`;
}

/** On a real cluster, kubectl does not print these words. */
export const missingCases: Cases<KubectlWorld> = Object.fromEntries(
  missing.map((of) => [
    of.behaviour,
    async (world) => expect(await answerTo(world, of)).not.toContain(of.meets),
  ]),
);

/** In the sandbox, kubectl prints them. */
export const meetsCases: Cases<KubectlWorld> = Object.fromEntries(
  missing.map((of) => [of.words, async (world) => expect(await answerTo(world, of)).toContain(of.meets)]),
);
