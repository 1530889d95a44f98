import type { Container, Pod, Volume } from 'kubernetes-types/core/v1.d.ts';

interface PodNames {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly accounts: readonly string[];
}

/** The objects of its namespace that a pod names. Source: pkg/api/v1/pod, VisitPodSecretNames and its like. */
export function podNames({ spec }: Pod): PodNames {
  const volumes = (spec?.volumes ?? []).flatMap(partsOf);
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const sources = containers.flatMap(sourcesOf);
  return {
    secrets: defined([
      ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
      ...volumes.map(({ secret }) => secret),
      ...sources.map(({ secret }) => secret),
    ]),
    configMaps: defined([...volumes, ...sources].map(({ configMap }) => configMap)),
    claims: defined((spec?.volumes ?? []).map((volume) => volume.persistentVolumeClaim?.claimName)),
    accounts: defined([spec?.serviceAccountName ?? 'default']),
  };
}

const defined = (names: readonly (string | undefined)[]): readonly string[] =>
  names.filter((name) => name !== undefined);

interface Source {
  readonly secret: string | undefined;
  readonly configMap: string | undefined;
}

const partsOf = ({ secret, configMap, projected }: Volume): readonly Source[] => [
  { secret: secret?.secretName, configMap: configMap?.name },
  ...(projected?.sources ?? []).map((source) => ({
    secret: source.secret?.name,
    configMap: source.configMap?.name,
  })),
];

const sourcesOf = ({ env = [], envFrom = [] }: Container): readonly Source[] => [
  ...env.map(({ valueFrom }) => ({
    secret: valueFrom?.secretKeyRef?.name,
    configMap: valueFrom?.configMapKeyRef?.name,
  })),
  ...envFrom.map(({ secretRef, configMapRef }) => ({
    secret: secretRef?.name,
    configMap: configMapRef?.name,
  })),
];
