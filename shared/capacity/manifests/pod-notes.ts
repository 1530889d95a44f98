import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { requestsOf } from '../plan/requests.ts';

/** What a manifest does not say about its pods, although a plan depends on it. */
export function notesOnTemplate({ metadata, spec }: PodTemplateSpec): readonly string[] {
  const { containers = [], initContainers = [], nodeName, overhead, runtimeClassName } = spec ?? {};
  const notes: string[] = [];
  const requests = requestsOf(spec ?? { containers });
  const without = ['cpu', 'memory'].filter((name) => (requests.get(name) ?? 0) === 0);
  if (without.length > 0)
    notes.push(
      `requests no ${without.join(' and no ')}: a LimitRange of its namespace may add some, which is not counted`,
    );
  if (runtimeClassName && overhead === undefined)
    notes.push(`has runtimeClassName ${runtimeClassName}: the overhead of that RuntimeClass is not counted`);
  if (nodeName) notes.push(`names its node ${nodeName}: it can run there only`);
  for (const { name, resources } of [...initContainers, ...containers]) {
    const memory = resources?.requests?.memory ?? resources?.limits?.memory;
    // YAML reads `memory: 512` as a number.
    if (typeof memory === 'string' && memory.endsWith('m'))
      notes.push(
        `requests ${memory} of memory in container ${name}, which are thousandths of a byte: did you mean Mi?`,
      );
  }
  const mesh = meshOf(metadata);
  if (mesh) notes.push(`gets a sidecar of ${mesh}, whose requests are not counted`);
  return notes;
}

/** The service mesh that adds a sidecar, if the pods ask for one. */
function meshOf(metadata: ObjectMeta | undefined): string | undefined {
  const { annotations = {}, labels = {} } = metadata ?? {};
  const linkerd = annotations['linkerd.io/inject'];
  if (linkerd === 'enabled' || linkerd === 'ingress') return 'Linkerd';
  const istio = labels['sidecar.istio.io/inject'] ?? annotations['sidecar.istio.io/inject'];
  return istio === 'true' ? 'Istio' : undefined;
}
