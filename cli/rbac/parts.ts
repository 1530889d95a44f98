/** The parts of the manifests that a cluster may not need, with the names of their objects. */
export const parts = {
  bootstrap: ['drover-bootstrap-tokens', 'drover-node-bootstrapper'],
  /** For instances that ask with their own web identity tokens. */
  'bootstrap-tokens': ['drover-bootstrap-tokens'],
  certificates: ['drover-certificates'],
  identity: ['drover-identity-mapping'],
  'pod-holds': ['drover-planner'],
  rolls: ['drover-roller'],
} as const;

export type Part = keyof typeof parts;

/** The features that need rights of their own. Every deployment has the others. */
export const optionalFeatures = [
  'bootstrap',
  'certificates',
  'identity',
  'pod-holds',
  'rolls',
] as const satisfies readonly Part[];

export type OptionalFeature = (typeof optionalFeatures)[number];

/** The parts of the features that are off. Pure. */
export const partsWithout = (features: ReadonlySet<OptionalFeature>): readonly Part[] =>
  optionalFeatures.filter((feature) => !features.has(feature));
