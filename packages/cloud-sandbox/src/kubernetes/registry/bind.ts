import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { conflict } from '../api/errors.ts';
import { withCondition } from '../controllers/conditions.ts';
import { definitionOf } from '../resources/definitions.ts';
import { type Stored, timestamp } from '../store/object.ts';
import { commit } from './commit.ts';
import type { Context } from './context.ts';

interface Binding {
  readonly pod: Stored<Pod>;
  readonly nodeName: string;
  readonly dryRun: boolean;
}

/** Puts a pod on a node, in one write that is not a change of its spec. Throws 409 when it is on one, or goes. */
export function bindPod(context: Context, { pod, nodeName, dryRun }: Binding): void {
  const { name, deletionTimestamp } = pod.metadata;
  const bound = pod.spec?.nodeName ?? '';
  if (deletionTimestamp !== undefined)
    throw refusal(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (bound !== '') throw refusal(name, `pod ${name} is already assigned to node "${bound}"`);
  if (pod.spec === undefined) return;
  const next = { ...pod, spec: { ...pod.spec, nodeName } };
  const scheduled = withCondition(
    next,
    { type: 'PodScheduled', status: 'True' },
    timestamp(context.clock.now()),
  );
  commit(context, definitionOf('pods'), scheduled, dryRun);
}

const refusal = (name: string, why: string) => conflict({ group: '', plural: 'pods/binding' }, name, why);
