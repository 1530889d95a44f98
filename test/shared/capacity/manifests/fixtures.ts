import { problemText } from '../../../../shared/capacity/manifests/problem.ts';
import { readWorkloads } from '../../../../shared/capacity/manifests/read-workloads.ts';
import type { ManifestReading, Workload } from '../../../../shared/capacity/manifests/workload.ts';

export const read = (text: string, name = 'web.yaml'): ManifestReading => readWorkloads([{ name, text }]);

/** The problems of a text, without the name of its file. */
export const problemsIn = (text: string, name = 'web.yaml'): readonly string[] =>
  read(text, name).problems.map((problem) => problemText(problem).replace(`${name}, `, ''));

/** The workloads of a text without problems. */
export function workloadsIn(text: string): readonly Workload[] {
  const { workloads, problems } = read(text);
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  return workloads;
}

export interface ControllerText {
  readonly kind?: string;
  readonly name?: string;
  /** Fields of its spec. */
  readonly spec?: string;
  /** Fields of the pod's spec. */
  readonly pod?: string;
  readonly resources?: string;
  readonly labels?: string;
}

/** A Deployment or another controller of apps/v1, as text. */
export const controllerText = ({
  kind = 'Deployment',
  name = 'web',
  spec = 'replicas: 2',
  pod = 'terminationGracePeriodSeconds: 5',
  resources = '{requests: {cpu: 100m, memory: 1Gi}}',
  labels = '{app: web}',
}: ControllerText = {}): string => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  ${spec}
  template:
    metadata: {labels: ${labels}}
    spec:
      ${pod}
      containers:
      - name: main
        image: example.com/web:1
        resources: ${resources}
`;
