import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import type { Workload } from '../manifests/workload.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { mostHeldPods } from './bounds.ts';
import {
  compactRequest,
  type PodRequest,
  podRequestJson,
  podRequestOf,
  podRequestSchema,
} from './pod-request.ts';

/** The request of a workload, or the reason why there is none. */
export type RequestMaking =
  | { readonly kind: 'request'; readonly request: PodRequest }
  | { readonly kind: 'refused'; readonly why: string };

interface WantedRequest {
  /** Undefined for as many as the workload has replicas. */
  readonly total?: number | undefined;
  /** So much room at all times, whichever pods run. */
  readonly headroom: boolean;
}

const requestSchema = lazily(podRequestSchema);

/** The request for the pods of a workload: with its selector they count as there once they are bound. Pure. */
export function requestOfWorkload(workload: Workload, wanted: WantedRequest): RequestMaking {
  const { kind, namespace, maker } = workload;
  const total = wanted.total ?? workload.replicas;
  const spec: PodSpec = maker.template.spec ?? { containers: [] };
  const refusal = whyRefused(workload, total);
  if (refusal !== undefined) return refused(workload, refusal);
  const labels = ownLabels(workload, spec);
  const selector = wanted.headroom ? undefined : selectorOf(workload, labels);
  if (selector === undefined && !wanted.headroom)
    return refused(
      workload,
      'its pods have no label that others lack: give its pod template labels, or give --headroom, which is so much room at all times',
    );
  const endsOnceBound = !wanted.headroom && (kind === 'Job' || kind === 'CronJob');
  const claims = maker.claimTemplates.map(({ metadata, spec: claim }) => ({
    name: metadata?.name ?? '',
    ...(claim?.storageClassName !== undefined && { storageClassName: claim.storageClassName }),
    ...(claim?.accessModes && { accessModes: claim.accessModes }),
  }));
  return checked(workload, {
    namespace,
    total,
    template: { ...(Object.keys(labels).length > 0 && { labels }), spec },
    ...(claims.length > 0 && { claims }),
    ...(selector && { selector }),
    ...(endsOnceBound && { endsOnceBound }),
  });
}

/** The request as it is read again from the parameter of its hold. */
function checked(workload: Workload, request: PodRequest): RequestMaking {
  const parsed = z.safeParse(requestSchema(), JSON.parse(JSON.stringify(podRequestJson(request))));
  if (!parsed.success) return refused(workload, describeIssues(parsed.error));
  return { kind: 'request', request: compactRequest(podRequestOf(parsed.data)) };
}

const refused = ({ kind, namespace, name }: Workload, why: string): RequestMaking => ({
  kind: 'refused',
  why: `${kind === 'Pods' ? 'the pods' : `${kind} ${namespace}/${name}`}: ${why}`,
});

function whyRefused({ maker }: Workload, total: number): string | undefined {
  if (total < 1) return 'it has 0 replicas: give the number of its pods with --pods';
  if (total > mostHeldPods)
    return `${total} pods are too many: a hold asks for at most ${mostHeldPods.toLocaleString('en')}`;
  const { nodeName } = maker.template.spec ?? {};
  if (nodeName) return `its pods name their node ${nodeName}, so they need no room on others`;
  return whyNotPlanned({ spec: maker.template.spec ?? { containers: [] } });
}

/** Labels that a controller adds with values which no pod of the cluster will have. */
const madeUp: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['pod-template-hash'],
  StatefulSet: ['controller-revision-hash'],
  Job: ['controller-uid', 'batch.kubernetes.io/controller-uid'],
  CronJob: [
    'controller-uid',
    'batch.kubernetes.io/controller-uid',
    'job-name',
    'batch.kubernetes.io/job-name',
  ],
};

/** The labels of the pods, without those that are made up, unless a rule of the pods reads them, such as `matchLabelKeys`. */
function ownLabels({ kind, maker, selector }: Workload, spec: PodSpec): Readonly<Record<string, string>> {
  const rules = JSON.stringify([spec.affinity, spec.topologySpreadConstraints, selector?.labelSelector]);
  const left = (madeUp[kind] ?? []).filter((key) => !rules.includes(JSON.stringify(key)));
  return Object.fromEntries(
    Object.entries(maker.template.metadata?.labels ?? {}).filter(([key]) => !left.includes(key)),
  );
}

/** A run of a CronJob and a Job with `generateName` have names that are not known in advance: the labels of their pods say which are meant. */
function selectorOf(
  { kind, selector }: Workload,
  labels: Readonly<Record<string, string>>,
): LabelSelector | undefined {
  if (selector !== undefined) return selector.labelSelector;
  return kind !== 'Pods' && Object.keys(labels).length > 0 ? { matchLabels: labels } : undefined;
}
