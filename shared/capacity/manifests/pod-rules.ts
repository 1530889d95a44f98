import type { Finding } from './field-schemas.ts';

interface Named {
  readonly name: string;
}

interface Port {
  readonly containerPort: number;
  readonly hostPort?: number | undefined;
  readonly hostIP?: string | undefined;
  readonly protocol?: string | undefined;
}

interface CheckedContainer extends Named {
  readonly ports?: readonly Port[] | undefined;
}

interface CheckedSpec {
  readonly containers: readonly CheckedContainer[];
  readonly initContainers?: readonly CheckedContainer[] | undefined;
  readonly volumes?: readonly Named[] | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly topologySpreadConstraints?:
    | readonly { readonly topologyKey: string; readonly whenUnsatisfiable: string }[]
    | undefined;
}

/** The rules of the API server between the fields of a pod, as far as a plan depends on these fields. */
export function* findingsInPod(spec: CheckedSpec): Iterable<Finding> {
  const { containers, initContainers = [], volumes = [], topologySpreadConstraints = [] } = spec;
  const names = new Set<string>();
  yield* doubled(['initContainers', 'name'], initContainers, ({ name }) => name, names);
  yield* doubled(['containers', 'name'], containers, ({ name }) => name, names);
  yield* doubled(['volumes', 'name'], volumes, ({ name }) => name);
  yield* doubled(
    ['topologySpreadConstraints', 'topologyKey'],
    topologySpreadConstraints,
    ({ topologyKey, whenUnsatisfiable }) => `${topologyKey} with ${whenUnsatisfiable}`,
  );
  yield* portFindings(spec);
}

function* doubled<T>(
  [list, field]: readonly [list: string, field: string],
  items: readonly T[],
  keyOf: (item: T) => string,
  seen = new Set<string>(),
): Iterable<Finding> {
  for (const [index, item] of items.entries()) {
    if (seen.has(keyOf(item))) yield { path: [list, index, field], message: `${keyOf(item)} is there twice` };
    seen.add(keyOf(item));
  }
}

function* portFindings({ containers, hostNetwork }: CheckedSpec): Iterable<Finding> {
  const taken = new Set<string>();
  for (const [index, { ports = [] }] of containers.entries())
    for (const [place, { containerPort, hostPort = 0, hostIP = '', protocol = 'TCP' }] of ports.entries()) {
      const path = ['containers', index, 'ports', place, 'hostPort'];
      if (hostNetwork === true && hostPort !== 0 && hostPort !== containerPort)
        yield { path, message: `must be ${containerPort} like containerPort, because of hostNetwork` };
      const bound = `${hostIP} ${protocol} ${hostPort}`;
      if (hostPort !== 0 && taken.has(bound)) yield { path, message: `${hostPort} is there twice` };
      taken.add(bound);
    }
}
