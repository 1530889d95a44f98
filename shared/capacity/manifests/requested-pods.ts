import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { quantityOf } from './field-schemas.ts';
import { withReplicas } from './make-pods.ts';
import { mostPods, type Workload } from './workload.ts';

/** Pods that are described by their number and what each requests. */
export interface SizedRequest {
  readonly pods: number;
  readonly cpu: string;
  readonly memory: string;
  readonly gpu?: number;
  readonly namespace?: string;
}

/** Which part of a request is wrong, such as `cpu`. */
export interface SizeProblem {
  readonly option: keyof SizedRequest;
  readonly message: string;
}

/** What is wrong with a request for pods. */
export function problemsInRequest({ pods, cpu, memory, gpu = 0 }: SizedRequest): readonly SizeProblem[] {
  const problems: SizeProblem[] = [];
  if (!Number.isInteger(pods) || pods < 1 || pods > mostPods)
    problems.push({ option: 'pods', message: `must be a whole number from 1 to ${mostPods}` });
  for (const [option, text] of [
    ['cpu', cpu],
    ['memory', memory],
  ] as const) {
    const quantity = quantityOf(text, 3);
    if (typeof quantity === 'string') problems.push({ option, message: quantity });
    else if (quantity === 0n) problems.push({ option, message: 'must be more than 0' });
    else if (option === 'memory' && quantity < 1000n * 1024n)
      problems.push({
        option,
        message: `${text} is less than 1Ki: did you mean ${text.replace(/m$/, '')}Mi?`,
      });
  }
  if (!Number.isInteger(gpu) || gpu < 0) problems.push({ option: 'gpu', message: 'must be a whole number' });
  return problems;
}

/** The workload of a request without problems. */
export function requestedPods({ pods, cpu, memory, gpu = 0, namespace = 'default' }: SizedRequest): Workload {
  // The API server wants the same limit for a GPU.
  const limits: Readonly<Record<string, string>> = gpu > 0 ? { 'nvidia.com/gpu': String(gpu) } : {};
  const resources = { requests: { cpu, memory, ...limits }, limits };
  const spec: PodSpec = { containers: [{ name: 'main', resources }] };
  const [kind, name] = ['Pods', 'pods'];
  return withReplicas(
    {
      kind,
      namespace,
      name,
      replicas: pods,
      pods: [],
      claims: [],
      maker: { kind, namespace, name, template: { spec }, claimTemplates: [], firstOrdinal: 0 },
      notes: [],
    },
    pods,
  );
}
